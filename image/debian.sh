# For the scripts beside it, read by them: where downloads and what is made of them are kept, and Debian's roots.
# shellcheck shell=bash

[ "$(id -u)" = 0 ] || { echo "${0##*/}: Roots of Debian are made as root; run it by sudo." >&2; exit 1; }
command -v mmdebstrap >/dev/null || { echo "${0##*/}: mmdebstrap is missing: apt-get install mmdebstrap" >&2; exit 1; }

cache=${BAKELITE_CACHE:-/var/cache/bakelite}
mkdir -p "$cache"

# The mirror that this machine uses, unless MIRROR names another; the keys come from debian-archive-keyring.
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m 1 '/debian/*$' || true)}
[ -n "$mirror" ] || { echo "${0##*/}: apt has no mirror of Debian; name one: MIRROR=..." >&2; exit 1; }

source_of() { echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $1 main"; }

# mmdebstrap as all of these roots want it. A mirror that was frozen, so that it gives the same once more, has expired.
bootstrap() { mmdebstrap --quiet --mode=root --aptopt='Acquire::Check-Valid-Until "false"' "$@"; }

# unpack ROOT OPTION...: packages that are only unpacked, once; no script of theirs runs.
unpack() {
  local to=$1
  shift
  [ -d "$to" ] && return
  rm -rf "$to.new"
  bootstrap --variant=extract --aptopt='APT::Install-Recommends "false"' "$@" "$suite" "$to.new" "$(source_of "$suite")"
  mv "$to.new" "$to"
}

# inside ROOT COMMAND...: runs it in that root, with mounts that are gone with it; BINDS are "FROM TO" lines of folders.
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
