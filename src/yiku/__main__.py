"""`python -m yiku` is `yiku`."""

from yiku.cli import main

main()
