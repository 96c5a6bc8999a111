"""Who finds patterns in texts: RE2, which no pattern makes slow."""

from yiku.adapters.patterns.re2_patterns import Re2Patterns

__all__ = ["Re2Patterns"]
