"""Strategies: small objects that say how the members of an ensemble come to differ and how their votes are counted.

A strategy holds parameters only and does the same thing again when it is given the same random generator, so it can be
cloned, searched over (``subspace__size``) and used from several threads at once.
"""

import lazy_loader

# The public names stand in __init__.pyi; each is imported when it is first used.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
