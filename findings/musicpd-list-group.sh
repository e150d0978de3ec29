#!/usr/bin/env bash
# python-musicpd 0.9.2 mixes up all answers after "list" with "group".
# Expected: "list album group artist" answers with lines of both tags, the group's first (MPD protocol, "The music
# database", since 0.21). The library passes any arguments on, and an error concerns only one command.
# Seen: the reader of "list" expects a single tag and raises ProtocolError in the middle of the answer. The rest stays
# unread, so "status" returns the album, and "setvol" fails over the status. python-mpd2 3.1.1 returns the albums.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" python-musicpd==0.9.2 python-mpd2==3.1.1
PYTHONPATH=$folder/packages python3 - <<'END'
import socket, sys, threading
from importlib.metadata import version
import mpd, musicpd

answers = {"list": "Artist: Abba\nAlbum: Arrival\nAlbum: Voulez-Vous\n", "status": "volume: 40\nstate: play\n"}


def answer(server):
    connection = server.accept()[0].makefile("rwb")
    connection.write(b"OK MPD 0.23.5\n")
    connection.flush()
    for line in connection:
        connection.write((answers.get(line.decode().split()[0], "") + "OK\n").encode())
        connection.flush()


seen = {}
for name, library in (("python-mpd2", mpd), ("python-musicpd", musicpd)):
    server = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=answer, args=(server,), daemon=True).start()
    client = library.MPDClient()
    client.connect("127.0.0.1", server.getsockname()[1])
    seen[name] = []
    for order in (lambda: client.list("album", "group", "artist"), client.status, lambda: client.setvol(30)):
        try:
            seen[name].append(order())
        except (mpd.ProtocolError, musicpd.ProtocolError) as error:
            seen[name].append(str(error))
    print(name, version(name), *seen[name], sep="\n  ")
right = [{"artist": "Abba", "album": "Arrival"}, {"artist": "Abba", "album": "Voulez-Vous"}]
expected = {
    "python-mpd2": [right, {"volume": "40", "state": "play"}, None],
    "python-musicpd": [
        "Expected key 'Artist', got 'Album'", {"album": "Voulez-Vous"}, "Got unexpected return value: 'volume: 40'"],
}
sys.exit(None if seen == expected else "The behaviour has changed.")
END
