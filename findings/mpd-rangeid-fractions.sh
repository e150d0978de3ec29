#!/usr/bin/env bash
# python-mpd2 3.1.1 and python-musicpd 0.9.2 cut the seconds of a part of a song.
# Expected: "rangeid" takes START:END in seconds, and fractions are allowed (MPD protocol, "The Queue"). Both libraries
# turn a pair of Python into START:END.
# Seen: each number of a pair becomes a whole one without an error, since pairs are mostly positions in the queue. A
# part from 1.9 s to 2.9 s plays 0.9 s early, and a part from 0.2 s to 0.8 s is empty.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" python-mpd2==3.1.1 python-musicpd==0.9.2
PYTHONPATH=$folder/packages python3 - <<'END'
import socket, sys, threading
from importlib.metadata import version
import mpd, musicpd


def answer(server, orders):
    connection = server.accept()[0].makefile("rwb")
    connection.write(b"OK MPD 0.23.5\n")
    connection.flush()
    for line in connection:
        orders.append(line.decode().strip())
        connection.write(b"OK\n")
        connection.flush()


seen = {}
for name, library in (("python-mpd2", mpd), ("python-musicpd", musicpd)):
    server, orders = socket.create_server(("127.0.0.1", 0)), []
    threading.Thread(target=answer, args=(server, orders), daemon=True).start()
    client = library.MPDClient()
    client.connect("127.0.0.1", server.getsockname()[1])
    for part in ((1.9, 2.9), (0.2, 0.8)):
        client.rangeid(5, part)
        print(f"{name} {version(name)}: rangeid(5, {part}) sends {orders[-1]}")
    seen[name] = [order.replace('"', "") for order in orders]
    client.disconnect()
sys.exit(None if all(orders == ["rangeid 5 1:2", "rangeid 5 0:0"] for orders in seen.values())
         else "The behaviour has changed.")
END
