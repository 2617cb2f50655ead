"""An exact SVM over a bounded number of twin vectors: `twins` keeps them, `story` tells of them."""
