#!/usr/bin/env bash
# pictures.sh: on a Mac, walk through every screen of the app on a phone and on a tablet, with usual and with large texts, and
# save their pictures in build/pictures.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

made=../../build/pictures
mkdir -p "$made"
failed=0
for device in iPhone iPad; do
  rm -rf "${made:?}/$device" "$made/$device.xcresult"
  # What was seen before a test failed is what one wants to look at.
  AZX_DEVICE=$device AZX_SCHEME=AzxPictures tools/xcode.sh test -resultBundlePath "$made/$device.xcresult" || failed=$?
  [[ -d $made/$device.xcresult ]] || exit "$failed"
  xcrun xcresulttool export attachments --path "$made/$device.xcresult" --output-path "$made/$device"
done
exit "$failed"
