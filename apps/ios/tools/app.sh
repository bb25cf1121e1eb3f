#!/usr/bin/env bash
# app.sh: check the app's sources as far as that goes without Xcode: that they parse. Nothing here knows SwiftUI or Core ML.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tools/swift.sh -frontend -parse -swift-version 6 App/*.swift
echo "App: $(ls App/*.swift | wc -l) files parse."
