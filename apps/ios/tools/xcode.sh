#!/usr/bin/env bash
# xcode.sh [ACTION...]: xcodebuild's actions (test) on the app, in a simulator: the first iPhone of the newest iOS that this
# Mac has one of. Nothing is signed, so that no team is asked for. AZX_DEVICE=iPad takes an iPad; AZX_SCHEME=AzxPictures
# the UI test (see pictures.sh).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! command -v xcodebuild > /dev/null; then
  echo "xcodebuild is not on PATH: the app is built on a Mac with Xcode 16 or newer." >&2
  exit 3
fi

DEVICE=${AZX_DEVICE:-iPhone}
newest='
import json, re, sys

found = []
for runtime, devices in json.load(sys.stdin)["devices"].items():
    ios = re.search(r"SimRuntime\.iOS-(\d+)-(\d+)", runtime)
    phones = [device["udid"] for device in devices if device["name"].startswith(sys.argv[1])]
    if ios and int(ios[1]) >= 17 and phones:
        found.append((int(ios[1]), int(ios[2]), phones[0]))
print(max(found)[2] if found else "")
'
simulator=$(xcrun simctl list devices available --json | python3 -c "$newest" "$DEVICE")
if [[ -z $simulator ]]; then
  echo "this Mac has no simulator of an $DEVICE with iOS 17 or newer: add one in Xcode, Settings, Components." >&2
  exit 3
fi
exec xcodebuild -project Azx.xcodeproj -scheme "${AZX_SCHEME:-AzxApp}" -destination "platform=iOS Simulator,id=$simulator" \
  -derivedDataPath ../../build/xcode CODE_SIGNING_ALLOWED=NO "${@:-test}"
