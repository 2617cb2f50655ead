"""What pyproject.toml cannot say: requirements.txt is the one list of versions, and the app's files
travel in the package.
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).parent
COMPUTE, APP, CLUSTER, TEST = "to compute", "app", "cluster", "test"


def sections(text: str) -> dict[str, list[str]]:
    """The requirements below each heading."""
    found, heading = {}, ""
    for line in text.splitlines():
        if line.startswith("#"):
            heading = line.removeprefix("#").strip()
        elif wanted := line.partition("  #")[0].strip():
            found.setdefault(heading, []).append(wanted)
    return found


class WithApp(build_py):
    """svmviz/app/ of an installation is what stands beside svmviz/ here; `svmviz app` runs it."""

    def run(self):
        super().run()
        if self.editable_mode:
            return
        there = Path(self.build_lib, "svmviz", "app")
        shutil.copytree(
            HERE / "pages",
            there / "pages",
            dirs_exist_ok=True,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
        (there / ".streamlit").mkdir(exist_ok=True)
        shutil.copy(HERE / "app.py", there)
        (there / "deploy").mkdir(exist_ok=True)
        for name in ("__init__.py", "door.py", "proxy.py"):
            shutil.copy(HERE / "deploy" / name, there / "deploy")
        shutil.copy(HERE / ".streamlit" / "config.toml", there / ".streamlit")


needed = sections((HERE / "requirements.txt").read_text(encoding="utf-8"))
extras = {
    "app": needed[APP],
    "cluster": needed[CLUSTER],
    "test": needed[APP] + needed[CLUSTER] + needed[TEST],
}
setup(install_requires=needed[COMPUTE], extras_require=extras, cmdclass={"build_py": WithApp})
