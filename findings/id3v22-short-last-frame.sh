#!/usr/bin/env bash
# tinytag 2.3.2, eyeD3 0.9.9 and pytaglib 3.2.0 (TagLib 2) lose a short last frame of an ID3v2.2 tag.
# Expected: a frame has a header of six bytes and a content of at least one byte, and padding after the last frame is
# optional (ID3v2.2.0, 3.2). So a tag without padding may end with the artist "U2", a frame of nine bytes.
# Seen: the three libraries look for a further frame only if more than ten bytes remain, the size of the header in
# later versions. "U2" and "Ann" have no artist, while "Anna" has one. mutagen 1.48.1 reads all of them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" lameenc==1.9.0 mutagen==1.48.1 \
  tinytag==2.3.2 pytaglib==3.2.0 eyeD3==0.9.9 filetype==1.2.0 deprecation==2.1.0 packaging==26.0
PYTHONPATH=$folder/packages python3 - "$folder" <<'END'
import sys
from importlib.metadata import version
import eyed3, lameenc, mutagen, taglib, tinytag

eyed3.log.setLevel("CRITICAL")
encoder = lameenc.Encoder()
encoder.set_channels(1)
encoder.silence()
audio = bytes(encoder.encode(bytes(88200)) + encoder.flush())
frame = lambda name, text: name + bytes([0, 0, len(text) + 1, 0]) + text.encode()
readers = {
    "mutagen": lambda path: str(mutagen.File(path).tags.get("TPE1")),
    "tinytag": lambda path: tinytag.TinyTag.get(path).artist,
    "eyeD3": lambda path: eyed3.load(path).tag.artist,
    "pytaglib": lambda path: taglib.File(path).tags.get("ARTIST", [None])[0],
}
artists = ["U2", "Ann", "Anna"]
seen = {name: [] for name in readers}
for artist in artists:
    frames = frame(b"TT2", "Song") + frame(b"TP1", artist)
    path = f"{sys.argv[1]}/{artist}.mp3"
    open(path, "wb").write(b"ID3\2\0\0\0\0\0" + bytes([len(frames)]) + frames + audio)
    for name, read in readers.items():
        seen[name].append(read(path))
for name, found in seen.items():
    print(f"{name} {version(name)}: {found}")
is_unchanged = seen.pop("mutagen") == artists and all(found == [None, None, "Anna"] for found in seen.values())
sys.exit(None if is_unchanged else "The behaviour has changed.")
END
