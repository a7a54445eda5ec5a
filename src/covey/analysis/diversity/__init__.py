"""Diversity of the members of an ensemble, from what each of them predicts."""

import lazy_loader

# The public names stand in __init__.pyi; each is imported when it is first used.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
