#!/usr/bin/env bash
# mutagen 1.48.1, tinytag 2.3.2, pytaglib 3.2.0 (TagLib 2) and FFmpeg 9.0.2 (PyPI imageio-ffmpeg 0.8.1) misread an ID3
# frame with a group.
# Expected: a frame with the flag "grouping identity" has one more byte between its header and its content; the byte
# says to which group the frame belongs, and the content does not change (ID3v2.3.0, 3.3.1; ID3v2.4.0, 4.1.2).
# Seen: each takes that byte for the encoding of the text. mutagen and FFmpeg have no title, tinytag has one more
# control character, and TagLib shows Chinese letters. eyeD3 0.9.9 reads the title.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" imageio-ffmpeg==0.8.1 mutagen==1.48.1 \
  tinytag==2.3.2 pytaglib==3.2.0 eyeD3==0.9.9 filetype==1.2.0 deprecation==2.1.0 packaging==26.0
ffmpeg=$(find "$folder/packages" -name 'ffmpeg-*' -type f)
"$ffmpeg" -version | sed -n 1p
"$ffmpeg" -v error -f lavfi -i sine=duration=1 -c:a libmp3lame -id3v2_version 0 "$folder/plain.mp3"
PYTHONPATH=$folder/packages python3 - "$ffmpeg" "$folder" <<'END'
import re, struct, subprocess, sys
from importlib.metadata import version
import eyed3, mutagen, taglib, tinytag

eyed3.log.setLevel("CRITICAL")
ffmpeg, folder = sys.argv[1:]
content, group = b"\0Song", b"\x80"
frame = b"TIT2" + struct.pack(">IH", 6, 0x0020) + group + content
frame += b"TPE1" + struct.pack(">IH", 4, 0) + b"\0Ann"
path = f"{folder}/tagged.mp3"
open(path, "wb").write(b"ID3\3\0\0\0\0\0" + bytes([len(frame)]) + frame + open(f"{folder}/plain.mp3", "rb").read())

log = subprocess.run([ffmpeg, "-i", path], capture_output=True).stderr.decode(errors="replace")
field = lambda name: (re.findall(rf"^ *{name} *: (.*)$", log, re.M) or [None])[0]
tags, tiny = mutagen.File(path).tags, tinytag.TinyTag.get(path)
lib = taglib.File(path).tags
eye = eyed3.load(path).tag
seen = {
    "mutagen": (str(tags["TIT2"]) if "TIT2" in tags else None, str(tags["TPE1"])),
    "FFmpeg": (field("title"), field("artist")),
    "tinytag": (tiny.title, tiny.artist),
    "pytaglib": (lib.get("TITLE", [None])[0], lib["ARTIST"][0]),
    "eyeD3": (eye.title, eye.artist),
}
for name, fields in seen.items():
    print(f"{name}{'' if name == 'FFmpeg' else ' ' + version(name)}: title {fields[0]!r}, artist {fields[1]!r}")
wrong = [None, None, "\0Song", "卯湧", "Song"]
is_unchanged = list(seen.values()) == [(title, "Ann") for title in wrong]
sys.exit(None if is_unchanged else "The behaviour has changed.")
END
