#!/usr/bin/env bash
# `make platforms`: whether there is a wheel of everything that azx asks for, on each system that azx is for. The markers are
# read as that system's, the extras with all that they depend on, a lock as it stands. Nothing is downloaded or installed.
set -euo pipefail
cd "$(dirname "$0")/.."
uv=$1
export MACOSX_DEPLOYMENT_TARGET=14.0

systems=(x86_64-manylinux_2_28 aarch64-manylinux_2_28 aarch64-apple-darwin x86_64-pc-windows-msvc)
failed=0

# found WHAT ARGUMENTS...: would pip's like install it? Prints how many packages it is, or why not.
found() {
  local what=$1 said
  shift
  if said=$("$uv" pip install --dry-run --target build/none --python-platform "$system" --python-version "$python" \
    --only-binary :all: "$@" 2>&1); then
    printf '  %s: %s packages\n' "$what" "$(sed -nE 's/^Would install ([0-9]+) .*/\1/p' <<< "$said")"
  else
    printf '  %s: NO\n%s\n' "$what" "$said"
    failed=1
  fi
}

for system in "${systems[@]}"; do
  for python in 3.11 3.12 3.13; do
    printf '%s, Python %s\n' "$system" "$python"
    found azx-export -r pyproject.toml
    found 'azx-export[play]' -r pyproject.toml --extra play
    found 'azx-export[export]' -r pyproject.toml --extra export
    found lock --no-deps --require-hashes -r "requirements/py${python/./}.lock"
  done
done
exit "$failed"
