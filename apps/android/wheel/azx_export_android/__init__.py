"""The Android app of azx without networks: `azx apk` puts networks, a name and an icon in, and signs it."""

from pathlib import Path

APP = Path(__file__).with_name("app.apk")
