from .outcome import Comparison as Comparison
from .run import compare as compare
