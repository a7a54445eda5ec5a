from .comparing import compare as compare
from .outcome import Comparison as Comparison
from .shortlists import shortlist as shortlist
