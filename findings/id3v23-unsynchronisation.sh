#!/usr/bin/env bash
# FFmpeg 9.0.2 (PyPI imageio-ffmpeg 0.8.1) and tinytag 2.3.2 misread an unsynchronised ID3v2.3 tag with UTF-16.
# Expected: with the flag set, each FF 00 of the tag after its header stands for FF, and frame sizes count the bytes
# before that insertion (ID3v2.3.0, 3.1 and 5). Taggers wrote such tags because each UTF-16 text starts with FF FE.
# Seen: FFmpeg takes the sizes for those after the insertion: it cuts the title and loses the artist. tinytag does not
# remove the zeros: its title is made of other letters, and the artist is lost. mutagen 1.48.1 reads both fields.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" imageio-ffmpeg==0.8.1 tinytag==2.3.2 mutagen==1.48.1
ffmpeg=$(find "$folder/packages" -name 'ffmpeg-*' -type f)
"$ffmpeg" -version | sed -n 1p
"$ffmpeg" -v error -f lavfi -i sine=duration=1 -c:a libmp3lame -id3v2_version 0 "$folder/plain.mp3"
PYTHONPATH=$folder/packages python3 - "$ffmpeg" "$folder" <<'END'
import re, struct, subprocess, sys
import mutagen, tinytag

ffmpeg, folder = sys.argv[1:]
title, artist = "Señor Ÿÿ", "Ann"


def frame(name, text):
    content = b"\1" + b"\xff\xfe" + text.encode("utf-16-le")
    return name + struct.pack(">IH", len(content), 0) + content


frames = frame(b"TIT2", title) + frame(b"TPE1", artist)
inserted = re.sub(rb"\xff(?=[\x00\xe0-\xff])", b"\xff\0", frames)
size = bytes(len(inserted) >> shift & 127 for shift in (21, 14, 7, 0))
path = f"{folder}/tagged.mp3"
open(path, "wb").write(b"ID3\3\0\x80" + size + inserted + open(f"{folder}/plain.mp3", "rb").read())

reference = mutagen.File(path)
tiny = tinytag.TinyTag.get(path)
log = subprocess.run([ffmpeg, "-i", path], capture_output=True).stderr.decode(errors="replace")
field = lambda name: (re.findall(rf"^ *{name} *: (.*)$", log, re.M) or [None])[0]
seen = {
    "mutagen": (str(reference["TIT2"]), str(reference["TPE1"])),
    "FFmpeg": (field("title"), field("artist")),
    "tinytag": (tiny.title, tiny.artist),
}
print(f"mutagen {mutagen.version_string}, tinytag {tinytag.__version__}")
for name, fields in seen.items():
    print(f"{name}: title {fields[0]!r}, artist {fields[1]!r}")
is_unchanged = seen["mutagen"] == (title, artist)
for name in ("FFmpeg", "tinytag"):
    is_unchanged &= seen[name][0] != title and seen[name][1] is None
sys.exit(None if is_unchanged else "The behaviour has changed.")
END
