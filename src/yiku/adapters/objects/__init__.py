"""Where are the originals of documents kept? As records of the store, or as files in a folder."""

from yiku.adapters.objects.folder import FolderObjects
from yiku.adapters.objects.in_store import ObjectsInStore

__all__ = ["FolderObjects", "ObjectsInStore"]
