from .result import ResultTable as ResultTable, score_table as score_table
