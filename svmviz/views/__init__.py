"""Pictures that do not move: pure functions from traces to Plotly figures. The player draws what
moves.
"""
