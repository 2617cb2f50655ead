"""Stream: budgeted SGD on as many examples as one likes, in constant memory."""

from svmviz.ui.shell.frame import guard
from svmviz.ui.stream.page import streaming

streaming(returned=guard("stream"))
