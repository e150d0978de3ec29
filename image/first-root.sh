# Library of the scripts in this folder: builds an initramfs for Debian's kernel, from busybox and kernel modules.
# shellcheck shell=bash

# take_modules FROM TO MODULE...: copies modules and their dependencies from a root with a kernel package to another
# root.
take_modules() {
  local from=$1 to=$2 release module path relative
  shift 2
  release=$(basename "$from"/usr/lib/modules/*)
  mkdir -p "$to/usr/lib/modules/$release"
  cp "$from/usr/lib/modules/$release"/modules.{builtin,builtin.modinfo,order} "$to/usr/lib/modules/$release/"
  [ -e "$from/lib" ] || ln -s usr/lib "$from/lib"
  depmod -b "$from" "$release"
  for module in "$@"; do
    modprobe -d "$from" -S "$release" --show-depends "$module" | sed -n 's/^insmod //p'
  done | sort -u | while read -r path _; do
    relative=usr/lib/${path#"$from"*/lib/}
    mkdir -p "$to/$(dirname "$relative")"
    case $path in
      *.xz) xz -dc "$path" >"$to/${relative%.xz}" ;;
      *) cp "$path" "$to/$relative" ;;
    esac
  done
  depmod -b "$to" "$release"
}

# pack_first_root ROOT: writes the initramfs as a cpio archive. A root always produces the same bytes.
pack_first_root() {
  if [ -n "${SOURCE_DATE_EPOCH:-}" ]; then find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +; fi
  (cd "$1" && find . -print0 | LC_ALL=C sort -z |
    cpio --null --create --format=newc --quiet --owner=0:0 --reproducible)
}
