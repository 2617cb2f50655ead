"""The figures of the BSGD paper's page: figures, Tables 1, 3 and 4, and what goes beyond."""

from svmviz.ui.papers import blocks as ui
from svmviz.ui.papers.bsgd import field, figures, map, merging, table3, tables


def stream() -> ui.Blocks:
    yield ui.Link("stream", "Any other data, rule and budget: run a stream of your own")


FIGURES = {
    "figure_1": map.figure_1,
    "million": map.MILLION,
    "table_1": field.TABLE_1,
    "table_4": tables.table_4,
    "table_3": table3.table_3,
    "figure_2": figures.figure_2,
    "figure_3": figures.figure_3,
    "figure_4": figures.figure_4,
    "figure_5": figures.figure_5,
    "figure_6": figures.figure_6,
    "figure_7": figures.figure_7,
    "stream": stream,
    "place": merging.place,
    "pairs": merging.ANY_TWO,
}
