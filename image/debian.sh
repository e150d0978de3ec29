# Library of the scripts in this folder: the cache of downloads and results, and functions for roots of Debian.
# shellcheck shell=bash

[ "$(id -u)" = 0 ] || { echo "${0##*/}: This script needs root; run it with sudo." >&2; exit 1; }
command -v mmdebstrap >/dev/null || { echo "${0##*/}: mmdebstrap is missing: apt-get install mmdebstrap" >&2; exit 1; }

cache=${BAKELITE_CACHE:-/var/cache/bakelite}
mkdir -p "$cache"

# The mirror of this machine's apt, unless MIRROR names another. The keys are those of debian-archive-keyring.
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m 1 '/debian/*$' || true)}
[ -n "$mirror" ] || { echo "${0##*/}: apt has no mirror of Debian; set MIRROR=URL." >&2; exit 1; }

source_of() { echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $1 main"; }

# Runs mmdebstrap with the common options of these roots. Accepts expired release files, because a frozen mirror for
# reproducible builds has them.
bootstrap() { mmdebstrap --quiet --mode=root --aptopt='Acquire::Check-Valid-Until "false"' "$@"; }

# unpack ROOT OPTION...: unpacks packages into a new root, without their scripts; keeps an existing root.
unpack() {
  local to=$1
  shift
  [ -d "$to" ] && return
  rm -rf "$to.new"
  bootstrap --variant=extract --aptopt='APT::Install-Recommends "false"' "$@" "$suite" "$to.new" "$(source_of "$suite")"
  mv "$to.new" "$to"
}

# inside ROOT COMMAND...: runs a command in a root, with temporary mounts. BINDS: lines "FROM TO" of folders to mount.
inside() {
  local root=$1
  shift
  root=$root binds=${BINDS:-} unshare --mount --pid --fork --kill-child bash -euc '
    mount --make-rprivate /
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    [ ! -e /etc/resolv.conf ] || cp --remove-destination /etc/resolv.conf "$root/etc/resolv.conf"
    while read -r from to; do
      [ -n "$from" ] || continue
      mkdir -p "$root$to"
      mount --bind "$from" "$root$to"
    done <<<"$binds"
    exec chroot "$root" "$@"' inside "$@"
}
