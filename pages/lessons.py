"""Lessons: cards that tell, set a task or ask for a prediction, beside a stage."""

from svmviz.ui import lessons
from svmviz.ui.shell.frame import guard

now = lessons.current(returned=guard("lessons"))
lessons.go_play()
lessons.show(now)
