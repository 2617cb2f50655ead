"""Lessons: cards that tell, set a task or ask for a prediction, beside a stage."""

from svmviz import ui

now = ui.lessons.current(returned=ui.guard("lessons"))
ui.lessons.go_play()
ui.lessons.show(now)
