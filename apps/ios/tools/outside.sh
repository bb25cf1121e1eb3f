#!/usr/bin/env bash
# outside.sh: on Linux, build and run a package of somebody else's that takes azx by its path, with what git has of azx and
# nothing else: what a clone lacks would be missed on the first Mac that adds the package by its address. It compiles
# the package once more: where AZX_WHOLE has a share of what takes long, as 2/5, the first share has this.
set -euo pipefail
if [[ ${AZX_WHOLE:-1/1} != 1/* ]]; then
  echo "Outside: left out, the share 1 of AZX_WHOLE has it"
  exit
fi
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Only what has changed is copied, and compiled, again.
made=$PWD/.build/outside
mkdir -p "$made/azx"
(
  cd ../..
  git ls-files -z Package.swift apps/ios/Sources apps/ios/Tests ':!apps/ios/Tests/*/Goldens' | sort -z > "$made/listed"
  xargs -0 cp -p --parents --update -t "$made/azx" < "$made/listed"
)
(cd "$made/azx" && find . -type f -printf '%P\0' | sort -z | comm -z -23 - "$made/listed" | xargs -0r rm)
mkdir -p "$made/app/Sources"
cp -p --update Tests/Outside/Package.swift "$made/app"
cp -p --update Tests/Outside/Sources/main.swift "$made/app/Sources"
said=$(AZX_FOLDER=.build/outside/app tools/swift.sh run -q Outside 2>&1) || {
  printf '%s\n' "$said" >&2
  exit 1
}
printf 'Outside: %s\n' "${said##*$'\n'}"
[[ $said == *"plays move "[0-6]", one of 7, with AzxKit" ]] || { printf '%s\n' "$said" >&2 && exit 1; }
