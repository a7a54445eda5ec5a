"""Models on disk: each class declares its state once, and that declaration saves, loads and checks it.

A model file is a zip of one JSON document and arrays; neither loading it nor predicting with it runs code of the file.
"""

import lazy_loader

# The public names stand in __init__.pyi; each is imported when it is first used.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
