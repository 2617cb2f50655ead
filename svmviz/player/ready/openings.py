"""Record the runs that are kept ready to travel: `python -m svmviz.player.ready.openings`."""

from functools import cache
from pathlib import Path

from svmviz.lessons.articles import PAPERS, article
from svmviz.player.ready.opening import FOLDER
from svmviz.player.wire.run import encode, pack_recipe
from svmviz.run.recipe import Recipe
from svmviz.run.view import OPENING


@cache
def recorded() -> dict[Path, Recipe]:
    """Return the recipes by the files that hold their runs."""
    stages = {
        name: next(section.scene.recipe for section in article(name).sections if section.scene)
        for name in PAPERS
    }
    runs = {"": OPENING} | {f"-{name}": recipe for name, recipe in stages.items()}
    return {FOLDER / f"opening{name}.bin": recipe for name, recipe in runs.items()}


if __name__ == "__main__":
    for file, recipe in recorded().items():
        file.write_bytes(encode(pack_recipe(recipe), of=recipe.key()))
