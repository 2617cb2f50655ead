"""Data: the visitor's own file, and the gallery of what else can be played with."""

import streamlit as st

from svmviz import ui
from svmviz.data.bundled import BUNDLED
from svmviz.data.many_classes import MULTICLASS
from svmviz.data.many_features import FAMILIES
from svmviz.data.plane import DATASETS
from svmviz.data.targets import REGRESSION

ui.guard("data")
ui.unasked()
ui.document("data")
ui.upload()
ui.gallery("Generated: two features, as many points as you like", DATASETS)
ui.gallery("Generated: three classes and more", MULTICLASS)
ui.gallery("Generated: hundreds of features, for SIMBA", FAMILIES)
ui.gallery("Measured: more features, shown on their first two principal components", BUNDLED)
ui.gallery("Regression: targets are numbers", REGRESSION)
st.space("medium")
