from .overall import Overall as Overall, rank_overall as rank_overall
from .page import Page as Page
from .ranked import RankedMethod as RankedMethod, Ranking as Ranking
from .ranking import rank_methods as rank_methods
from .rendering import render_page as render_page
from .writing import write_report as write_report
