"""What `pip install` of the wheel brings: megabytes of the core and of each extra, each in a fresh environment.

    python requirements/sizes.py dist/azx_export-*.whl

pip itself is not counted. The limits are promises of the README; one that is not kept ends with exit code 1.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

MEGABYTE = 1_000_000
LIMITS = {"": 160, "play": 460, "export": None}


def install_wheel(wheel: Path, extra: str, folder: Path) -> int:
    """Bytes below site-packages after installing the wheel with an extra, bytecode included."""
    venv.create(folder, with_pip=False)
    wanted = f"{wheel}[{extra}]" if extra else str(wheel)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(folder)]
    subprocess.run([*pip, "-q", "install", wanted], check=True)
    return sum(path.lstat().st_size for path in folder.rglob("site-packages/**/*") if path.is_file())


def main() -> int:
    """Print a line each; 1 if one is larger than its limit."""
    wheel = Path(sys.argv[1]).resolve()
    print(f"{wheel.name}: {wheel.stat().st_size / MEGABYTE:.1f} MB")
    kept = True
    for extra, limit in LIMITS.items():
        with tempfile.TemporaryDirectory() as folder:
            size = install_wheel(wheel, extra, Path(folder) / "env") / MEGABYTE
        name = f"azx-export[{extra}]" if extra else "azx-export"
        print(f"{name}: {size:.0f} MB" + (f", promised at most {limit}" if limit else ""), flush=True)
        kept = kept and (limit is None or size <= limit)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
