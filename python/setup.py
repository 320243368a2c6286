"""Builds the package with a copy of the ladder's maps, which a checkout stores elsewhere."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
PACKAGE = HERE / "src" / "bout_sim"


def copy_maps(package: Path) -> None:
    """Copies the checkout's map files next to the modules. A source package already has them."""
    sources = [*HERE.parent.glob("src/core/*/maps/*.json")] or [*PACKAGE.glob("maps/*.json")]
    if not sources:
        raise FileNotFoundError("the map files are neither in ../src/core/*/maps nor in this package")
    target = package / "maps"
    target.mkdir(parents=True, exist_ok=True)
    for source in sources:
        if source.parent != target:
            shutil.copyfile(source, target / source.name)


class BuildWithMaps(build_py):
    """`build_py` that includes the maps."""

    def run(self) -> None:
        """Builds, then copies the maps. Editable builds read them in place."""
        super().run()
        if not self.editable_mode:
            copy_maps(Path(self.build_lib) / "bout_sim")


class SourceWithMaps(sdist):
    """`sdist` that includes the maps."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        """Collects the files, then the maps."""
        super().make_release_tree(base_dir, files)
        copy_maps(Path(base_dir) / "src" / "bout_sim")


setup(cmdclass={"build_py": BuildWithMaps, "sdist": SourceWithMaps})
