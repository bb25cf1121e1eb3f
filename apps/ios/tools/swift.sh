#!/usr/bin/env bash
# swift.sh ARGS...: run `swift ARGS...` in apps/ios, whose package is that of the checkout: SwiftPM looks for Package.swift in
# the folders above, too. What it builds lies in apps/ios/.build. swift.sh --check: can it be run here? Else say why not, and end with 3.
#
# The swift on PATH is taken where there is one (macOS, a Swift image). Else, for root on a Debian machine, a folder with
# Debian 13, which has Swift and ONNX Runtime, is made once and kept outside the checkout, so that every clone finds it.
# Packages come from where this machine's apt has its own; nothing is installed on the machine itself.
set -euo pipefail

APP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
CHECKOUT=$(cd "$APP/../.." && pwd)
# Another package's folder in apps/ios, for tools/outside.sh.
FOLDER=${AZX_FOLDER:-}
RELEASE=trixie
KEYS=/usr/share/keyrings/debian-archive-keyring.gpg
# Swift and what it needs, zlib and OpenSSL for bundles, ONNX Runtime for the tests with real networks, and what makes
# pictures of drawn boards.
PACKAGES=(
  swiftlang libc6-dev libstdc++-14-dev g++ binutils git ca-certificates zlib1g-dev libssl-dev
  pkg-config libonnxruntime-dev librsvg2-bin fonts-dejavu-core
)
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/azx/swift
# Another list of packages is another folder: two checkouts may ask for different ones.
ROOT=$CACHE/debian13-$(cksum <<< "${PACKAGES[*]}" | cut -d' ' -f1)
NEEDED_GIB=6
NO_SWIFT="swift is not on PATH"
NO_FOLDER="$NO_SWIFT, and a folder with Debian 13 cannot be made"

left_out() {
  printf '%s\n' "$1"
  exit 3
}

# The mirror that apt takes this Debian from; nothing where apt or Debian is not there.
mirror() {
  local codename
  codename=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
  apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' 2> /dev/null |
    awk -v release="$codename" '$1 == release { print $2; exit }'
}

# Say why the folder cannot be made here, with no more than one small file fetched.
check_making() {
  local tool found
  [[ $EUID == 0 ]] || left_out "$NO_SWIFT, and only root can run it in a folder with Debian 13"
  for tool in apt-get dpkg-deb chroot unshare flock wget; do
    command -v "$tool" > /dev/null || left_out "$NO_FOLDER: there is no $tool"
  done
  unshare --mount true 2> /dev/null || left_out "$NO_FOLDER: mounts are not allowed here"
  if [[ -d $ROOT ]]; then return; fi
  [[ -e $KEYS ]] || left_out "$NO_FOLDER: there is no $KEYS"
  found=$(mirror)
  [[ -n $found ]] || left_out "$NO_FOLDER: apt names no mirror of this machine's Debian"
  mkdir -p "$CACHE"
  (($(df --output=avail -k "$CACHE" | tail -1) >> 20 >= NEEDED_GIB)) ||
    left_out "$NO_FOLDER: it needs $NEEDED_GIB GiB of disk in $CACHE"
  /usr/lib/apt/apt-helper download-file "${found}dists/$RELEASE/Release" "$CACHE/Release" &> /dev/null ||
    left_out "$NO_FOLDER: apt's mirror cannot be reached, or does not have it"
}

# Make the folder aside and put it in its place when it is whole. In a mount namespace of its own (see the end of this
# file), so that whatever debootstrap mounts is gone before anything is deleted.
make_root() {
  local new=$CACHE/new tools=$CACHE/tools
  rm -rf --one-file-system "$new" "$tools"
  mkdir -p "$new" "$tools"
  if ! command -v debootstrap > /dev/null; then
    (cd "$tools" && apt-get -q download -o APT::Sandbox::User=root debootstrap && dpkg-deb -x debootstrap_*.deb .)
    export DEBOOTSTRAP_DIR=$tools/usr/share/debootstrap PATH=$tools/usr/sbin:$PATH
  fi
  debootstrap --variant=minbase --include=ca-certificates --keyring="$KEYS" "$RELEASE" "$new" "$(mirror)"
  # Proxies and the like, as apt has them here.
  apt-config dump Acquire | grep -E '^Acquire::(https?|Check|Retries)[^ ]* "[^"]+' > "$new/etc/apt/apt.conf.d/90here" || true
  chroot "$new" env DEBIAN_FRONTEND=noninteractive apt-get -q update
  chroot "$new" env DEBIAN_FRONTEND=noninteractive \
    apt-get -q install -y --no-install-recommends "${PACKAGES[@]}"
  chroot "$new" apt-get clean
  rm -rf --one-file-system "$new"/var/lib/apt/lists/* "$tools"
  mkdir "$new/checkout"
  mv "$new" "$ROOT"
}

# Two first runs at once: one makes the folder, the other waits for it.
ensure_root() {
  if [[ -d $ROOT ]]; then return; fi
  mkdir -p "$CACHE"
  exec 9> "$CACHE/lock"
  flock 9
  if [[ ! -d $ROOT ]]; then
    echo "making a folder with Debian 13 and its Swift in $ROOT, once; it takes minutes and 3 GB" >&2
    unshare --mount --propagation private "$0" --make-root > "$CACHE/log" 2>&1 9>&- || {
      tail -n 20 "$CACHE/log" >&2
      echo "the folder with Debian 13 was not made; $CACHE/log has it all" >&2
      exit 1
    }
  fi
  exec 9>&-
}

# Run swift in the folder. The mounts are made in a namespace of this process alone: they are gone when it ends, however
# it ends, and another run, of this checkout or of another one, has its own in the same place.
run_in_root() {
  mount --rbind /proc "$ROOT/proc"
  mount --rbind /dev "$ROOT/dev"
  mount --bind "$CHECKOUT" "$ROOT/checkout"
  # SwiftPM names its lock in /tmp by the package's path, which is the same for every checkout here: with one /tmp for all
  # of them each would wait for the others' builds.
  mkdir -p "$APP/.build/tmp"
  mount --bind "$APP/.build/tmp" "$ROOT/tmp"
  # What the tests are told, such as AZX_WRITE_GOLDENS.
  local told
  mapfile -t told < <(env | grep '^AZX_')
  # Debian's ONNX Runtime says this of 567 schemas whenever it is loaded, and means nothing by it.
  local noise='^Schema error: Trying to register schema'
  chroot "$ROOT" /usr/bin/env -i HOME=/root PATH=/usr/bin:/bin LANG=C.UTF-8 "${told[@]}" \
    SWIFTPM_BUILD_DIR="/checkout/apps/ios${FOLDER:+/$FOLDER}/.build" \
    /bin/sh -c 'cd "${SWIFTPM_BUILD_DIR%/.build}" && exec swift "$@"' swift "$@" 2>&1 | { grep --line-buffered -v "$noise" || true; }
}

case ${1:-} in
  --check) command -v swift > /dev/null || check_making ;;
  --make-root) make_root ;;
  --in-root) shift && run_in_root "$@" ;;
  *)
    # SwiftPM crashes over what it has built of a package that lay in another folder.
    if grep -qs '/apps/ios/Package.swift' "$APP/.build/debug.yaml"; then rm -rf "$APP/.build"; fi
    # What the package is built from, beside its sources; where there is no Python, make ios has to have written it.
    if command -v python3 > /dev/null; then python3 -P "$CHECKOUT/apps/tools/write_texts.py" ios; fi
    if command -v swift > /dev/null; then
      cd "$APP/$FOLDER"
      export SWIFTPM_BUILD_DIR=$PWD/.build
      exec swift "$@"
    fi
    check_making
    ensure_root
    exec unshare --mount --propagation private "$0" --in-root "$@"
    ;;
esac
