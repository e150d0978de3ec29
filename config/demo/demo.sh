#!/bin/sh
# Plays the demo station on the sound card, or to a clocked null sink without a card. In a terminal, runs a box with its
# panel; otherwise runs `bakelite play`. Ends after Ctrl-C or DEMO_SECONDS. `make demo` calls this script after the
# build of bakelite.
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

# Runs in a separate session, so that Ctrl-C first ends the player.
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
  echo 'error: The demo station did not start.' >&2
  exit 1
fi

sound=null
if grep -q '^ *[0-9]' /proc/asound/cards 2>/dev/null; then sound=alsa:default; fi

# Runs a temporary box with the two stations of the demo.
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

Keys: the arrows up and down turn the knob, Enter presses the knob; space pauses, left and right seek, l goes to live;
+ and - set the volume, m opens the menu, Ctrl-C ends the demo. From another terminal:

  $bakelite panel --socket $scratch/socket
  $bakelite ctl --socket $scratch/socket status

END
  sleep 3
  # Ctrl-C ends the box, which prints a summary.
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

test "$sound" != null || echo 'No sound card found; playing to a clocked null sink.'
how=listen
if test -t 0 && test -t 1; then how=panel; fi
"$how" "$sound"
no_hardware=4
if test "$status" = $no_hardware; then
  echo 'The sound card is not usable; playing to a clocked null sink.'
  listen null
fi
exit "$status"
