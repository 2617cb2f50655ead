"""The exact SVM of examples that come and go: `box` says who is there, `path` follows the optimum
by the `inverse` of the margin set, `log` keeps the bends of the path, `story` tells of them.
"""
