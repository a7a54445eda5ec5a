from .carry_out import Reproduction as Reproduction, reproduce as reproduce
from .catalogue import find_paper as find_paper, papers as papers
from .paper import (
    Claim as Claim,
    Experiment as Experiment,
    Found as Found,
    Paper as Paper,
    Quick as Quick,
    Verdict as Verdict,
    View as View,
)
from .published import published_table as published_table
