"""An Android app with networks, made from a prepared app without source tree, Android SDK or Java."""
