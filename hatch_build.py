"""Builds the page while the Python package is built, so that users need neither Node nor npm."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface[Any]):
    """Runs `web/build.py` with the Node of the build requirements. BOBING_SKIP_WEB=1 leaves the page out."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        """Called by hatchling before it collects the files of the wheel or of the source package."""
        if os.environ.get("BOBING_SKIP_WEB") == "1":
            self.app.display_warning("BOBING_SKIP_WEB=1: the page is not built anew")
            return
        subprocess.run([sys.executable, Path(self.root, "web", "build.py")], check=True)
