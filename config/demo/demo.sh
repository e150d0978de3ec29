#!/bin/sh
# Plays the demo station: on the sound card, or to a clocked null sink where there is none.
# Until Ctrl-C, or for DEMO_SECONDS of sound. `make demo` calls this when bakelite is built.
set -eu

cd "$(dirname "$0")/../.."
bakelite=.build/release/bakelite
scratch=$(mktemp -d)
station=

end() {
  test -z "$station" || kill "$station" 2>/dev/null || true
  rm -rf "$scratch"
}
trap end EXIT
trap 'exit 129' HUP
trap : INT
trap 'exit 143' TERM

# A session of its own, so that Ctrl-C ends the listener first.
mkfifo "$scratch/said"
setsid "$bakelite" station config/demo --port 0 --name 'Bakelite Demo' --titles config/demo/titles.txt \
  >"$scratch/said" 2>&1 &
station=$!

url=
exec 3<"$scratch/said"
while test -z "$url" && read -r line <&3; do
  case $line in
    "Serving bakelite-demo.mp3 "*) url=${line##* at } ;;
    "Serving "*) ;;
    *) echo "$line" >&2 ;;
  esac
done
if test -z "$url"; then
  echo 'The demo station did not start.' >&2
  exit 1
fi

cat <<END

The demo station is on the air. While it plays, try in another terminal:

  $bakelite play ${url%/*}/bakelite-demo.aac
  curl ${url%/*}/

or your own station: $bakelite play http://…

END

play() {
  "$bakelite" play --output "$1" ${DEMO_SECONDS:+--duration "$DEMO_SECONDS"} "$url" && status=0 || status=$?
}

no_hardware=4
status=$no_hardware
card='No sound card here'
if grep -q '^ *[0-9]' /proc/asound/cards 2>/dev/null; then
  play alsa:default
  card='The sound card cannot be used'
fi
if test "$status" = $no_hardware; then
  echo "$card: playing to a clocked null sink."
  play null
fi
exit "$status"
