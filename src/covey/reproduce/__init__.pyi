from .evidence import write_evidence as write_evidence
from .paper import (
    Claim as Claim,
    Experiment as Experiment,
    Found as Found,
    Paper as Paper,
    Quick as Quick,
    Verdict as Verdict,
    View as View,
    find_paper as find_paper,
    papers as papers,
)
from .published import published_table as published_table
from .run import Reproduction as Reproduction, reproduce as reproduce
