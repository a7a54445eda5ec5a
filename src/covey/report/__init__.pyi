from .page import Page as Page
from .rendering import render_page as render_page
from .study_page import (
    Overall as Overall,
    RankedMethod as RankedMethod,
    Ranking as Ranking,
    rank_methods as rank_methods,
    rank_overall as rank_overall,
    write_report as write_report,
)
