#!/bin/sh
# Plays the demo station: on the sound card, or to a clocked null sink where there is none. In a terminal it is a box
# with its panel; elsewhere `bakelite play` tells what it does.
# Until Ctrl-C, or for DEMO_SECONDS. `make demo` calls this when bakelite is built.
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

sound=null
if grep -q '^ *[0-9]' /proc/asound/cards 2>/dev/null; then sound=alsa:default; fi

# A box of its own, whose stations are the demo's two.
panel() {
  cat >"$scratch/bakelite.toml" <<END
[state]
path = "$scratch"
[control]
socket = "$scratch/socket"
END
  cat >"$scratch/stations.toml" <<END
[[station]]
name = "Bakelite Demo"
url = "$url"

[[station]]
name = "Demo in AAC"
url = "${url%/*}/bakelite-demo.aac"
END
  cat <<END

Keys: arrows up and down turn the knob, Enter presses it; space pauses, left and right go through time, l is live;
+ and - are the volume, m is the menu, Ctrl-C the end. From another terminal:

  $bakelite panel --socket $scratch/socket
  $bakelite ctl --socket $scratch/socket status

END
  sleep 3
  # Ctrl-C reaches the box, which ends with a summary.
  ${DEMO_SECONDS:+timeout --foreground --preserve-status "$DEMO_SECONDS"} .build/release/bakelited \
    --config "$scratch/bakelite.toml" --boards boards --board simulated --output "$1" && status=0 || status=$?
}

listen() {
  local options=
  test "$1" != null || options='--output null '
  cat <<END

The demo station is on the air. While it plays, try in another terminal:

  $bakelite play $options${url%/*}/bakelite-demo.aac
  curl ${url%/*}/

or your own station: $bakelite play ${options}http://…

END
  "$bakelite" play --output "$1" ${DEMO_SECONDS:+--duration "$DEMO_SECONDS"} "$url" && status=0 || status=$?
}

test "$sound" != null || echo 'No sound card here: playing to a clocked null sink.'
how=listen
if test -t 0 && test -t 1; then how=panel; fi
"$how" "$sound"
no_hardware=4
if test "$status" = $no_hardware; then
  echo 'The sound card cannot be used: playing to a clocked null sink.'
  listen null
fi
exit "$status"
