"""Who fetches files that stand elsewhere: at addresses of the web, of an object store, or in a folder of our own."""

from yiku.adapters.fetching.bounds import FetchBounds
from yiku.adapters.fetching.guarded_fetcher import GuardedFetcher

__all__ = ["FetchBounds", "GuardedFetcher"]
