#!/usr/bin/env bash
# pytaglib 3.2.0 (TagLib 2), tinytag 2.3.2 and pymediainfo 7.0.1 (MediaInfo 24.12) lose all fields of an ID3 tag with
# an extended header.
# Expected: the size in the extended header of ID3v2.3 excludes itself: 6, or 10 with a CRC (ID3v2.3.0, 3.2). That in
# ID3v2.4 is a synchsafe number and includes itself (ID3v2.4.0, 3.2). The frames follow.
# Seen: TagLib and tinytag count both sizes alike, so they start four bytes before the first frame of ID3v2.3 and find
# no field. MediaInfo reads ID3v2.3, and finds no field in ID3v2.4. mutagen 1.48.1 reads both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" lameenc==1.9.0 mutagen==1.48.1 \
  tinytag==2.3.2 pytaglib==3.2.0 pymediainfo==7.0.1
PYTHONPATH=$folder/packages python3 - "$folder" <<'END'
import struct, sys
from importlib.metadata import version
import lameenc, mutagen, pymediainfo, taglib, tinytag

encoder = lameenc.Encoder()
encoder.set_channels(1)
encoder.silence()
audio = bytes(encoder.encode(bytes(88200)) + encoder.flush())
frame = lambda name, text: name + struct.pack(">IH", len(text) + 1, 0) + b"\0" + text
frames = frame(b"TIT2", b"Song") + frame(b"TPE1", b"Ann")
headers = {3: struct.pack(">IHI", 6, 0, 0), 4: bytes([0, 0, 0, 6, 1, 0])}


def read_mediainfo(path):
    general = pymediainfo.MediaInfo.parse(path).tracks[0]
    return general.title, general.performer


def read_taglib(path):
    tags = taglib.File(path).tags
    return tuple(tags.get(name, [None])[0] for name in ("TITLE", "ARTIST"))


def read_tinytag(path):
    tag = tinytag.TinyTag.get(path)
    return tag.title, tag.artist


def read_mutagen(path):
    tags = mutagen.File(path).tags
    return str(tags["TIT2"]), str(tags["TPE1"])


readers = {"mutagen": read_mutagen, "pytaglib": read_taglib, "tinytag": read_tinytag, "pymediainfo": read_mediainfo}
seen = {name: [] for name in readers}
for number, header in headers.items():
    path = f"{sys.argv[1]}/{number}.mp3"
    size = len(header) + len(frames)
    open(path, "wb").write(b"ID3" + bytes([number, 0, 0x40, 0, 0, 0, size]) + header + frames + audio)
    for name, read in readers.items():
        seen[name].append(read(path))
for name, (older, newer) in seen.items():
    print(f"{name} {version(name)}: ID3v2.3 {older}, ID3v2.4 {newer}")
right, lost = ("Song", "Ann"), (None, None)
expected = [[right, right], [lost, right], [lost, right], [right, lost]]
sys.exit(None if list(seen.values()) == expected else "The behaviour has changed.")
END
