#!/usr/bin/env bash
# mutagen-rs 0.2.7 returns one chapter of a podcast with three, and one genre of a song with two.
# Expected: a tag has a CHAP frame for each chapter, with different element ids (ID3v2 Chapter Frame Addendum 1.0, 3.1),
# and a text frame of ID3v2.4 may have several values with zero bytes between them (ID3v2.4.0, 4.2). The project's
# README calls it a drop-in replacement for mutagen, which has the keys CHAP:ID and a list of genres.
# Seen: only the first chapter of the file is left, under the key "CHAP" and as the bytes of its frame, also with
# getall("CHAP"). Of the genres the first is left. mutagen 1.48.1 returns all of them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" mutagen-rs==0.2.7 mutagen==1.48.1 lameenc==1.9.0
PYTHONPATH=$folder/packages python3 - "$folder" <<'END'
import struct, sys
from importlib.metadata import version
import lameenc, mutagen, mutagen_rs

encoder = lameenc.Encoder()
encoder.set_channels(1)
encoder.silence()
audio = bytes(encoder.encode(bytes(88200)) + encoder.flush())
size = lambda count: bytes(count >> shift & 127 for shift in (21, 14, 7, 0))
frame = lambda name, content: name + size(len(content)) + b"\0\0" + content
text = lambda name, value: frame(name, b"\3" + value.encode())
frames = text(b"TIT2", "Weekly") + text(b"TCON", "Jazz\0Blues")
for number, title in enumerate(("Intro", "Talk", "Music")):
    times = struct.pack(">IIII", number * 300, number * 300 + 300, 2**32 - 1, 2**32 - 1)
    frames += frame(b"CHAP", b"c%d\0" % number + times + text(b"TIT2", title))
path = f"{sys.argv[1]}/chapters.mp3"
open(path, "wb").write(b"ID3\4\0\0" + size(len(frames)) + frames + audio)
seen = []
for name, library in (("mutagen", mutagen), ("mutagen-rs", mutagen_rs)):
    tags = library.File(path).tags
    genres = getattr(tags["TCON"], "genres", None) or list(tags["TCON"])
    seen.append((len(tags.getall("CHAP")), genres))
    print(f"{name} {version(name)}: chapters {seen[-1][0]}, genres {genres}")
sys.exit(None if seen == [(3, ["Jazz", "Blues"]), (1, ["Jazz"])] else "The behaviour has changed.")
END
