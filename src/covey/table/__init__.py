"""Tables for learners: one float64 matrix, which of its columns are categorical, and what their codes mean."""

import lazy_loader

# The public names stand in __init__.pyi; each is imported when it is first used.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
