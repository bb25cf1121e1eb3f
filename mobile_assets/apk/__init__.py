"""An Android app with networks, made of a prepared one: no source tree, Android SDK or Java."""
