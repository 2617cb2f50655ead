"""Data: the visitor's own file, and the gallery of what else can be played with."""

import streamlit as st

from svmviz.data.bundled import BUNDLED
from svmviz.data.many_classes import MULTICLASS
from svmviz.data.many_features import FAMILIES
from svmviz.data.plane import DATASETS
from svmviz.data.targets import REGRESSION
from svmviz.ui.controls.charts import document
from svmviz.ui.data.gallery import gallery
from svmviz.ui.data.upload import upload
from svmviz.ui.shell.frame import guard, unasked

guard("data")
unasked()
document("data")
upload()
gallery("Generated: two features, as many points as you like", DATASETS)
gallery("Generated: three classes and more", MULTICLASS)
gallery("Generated: hundreds of features, for SIMBA", FAMILIES)
gallery("Measured: more features, shown on their first two principal components", BUNDLED)
gallery("Regression: targets are numbers", REGRESSION)
st.space("medium")
