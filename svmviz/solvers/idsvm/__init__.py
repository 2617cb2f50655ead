"""The exact SVM of examples that come and go: `path` follows the optimum, `log` keeps its bends, `words` tells of them."""
