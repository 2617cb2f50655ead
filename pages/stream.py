"""Stream: budgeted SGD on as many examples as one likes, in constant memory."""

from svmviz import ui

ui.streaming(returned=ui.guard("stream"))
