#!/usr/bin/env bash
# mutagen 1.48.1, tinytag 2.3.2, pytaglib 3.2.0 (TagLib 2) and miniaudio 1.71 report days for a recording of 2 s.
# Expected: the granule position of the first page may be anything, as in a recording of a station that has run for
# days. The length is the difference between the end and the start (Vorbis I, appendix A; for Opus, RFC 7845, 4.5).
# Seen: three libraries report the last position as the length. miniaudio reports the largest number of 32 bits, 27
# hours, although it decodes 2 s. soundfile 0.14.0 (libsndfile 1.2.2) reports 2 s.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" mutagen==1.48.1 tinytag==2.3.2 pytaglib==3.2.0 \
  miniaudio==1.71 soundfile==0.14.0 cffi==2.1.1 pycparser==3.0 numpy==2.4.6 typing_extensions==4.16.0
PYTHONPATH=$folder/packages python3 - "$folder" <<'END'
import struct, sys
from importlib.metadata import version
import miniaudio, mutagen, numpy, soundfile, taglib, tinytag


def checksum(page):
    value = 0
    for byte in page:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04C11DB7 if value >> 31 else 0)) & 0xFFFFFFFF
    return value


path = f"{sys.argv[1]}/station.ogg"
soundfile.write(path, 0.1 * numpy.sin(numpy.arange(88200) / 16), 44100, format="OGG", subtype="VORBIS")
data, start = bytearray(open(path, "rb").read()), 0
while start < len(data):
    count = data[start + 26]
    end = start + 27 + count + sum(data[start + 27 : start + 27 + count])
    position = struct.unpack_from("<q", data, start + 6)[0]
    if position > 0:
        struct.pack_into("<q", data, start + 6, position + 44100 * 172800)
    struct.pack_into("<I", data, start + 22, 0)
    struct.pack_into("<I", data, start + 22, checksum(data[start:end]))
    start = end
open(path, "wb").write(data)
seen = {
    "soundfile": soundfile.info(path).duration,
    "mutagen": mutagen.File(path).info.length,
    "tinytag": tinytag.TinyTag.get(path).duration,
    "pytaglib": taglib.File(path).length,
    "miniaudio": miniaudio.get_file_info(path).duration,
}
for name, duration in seen.items():
    print(f"{name} {version(name)}: {duration:.0f} s")
expected = [2, 172802, 172802, 172802, 2**32 / 44100]
is_unchanged = all(abs(a - b) < 1 for a, b in zip(seen.values(), expected))
sys.exit(None if is_unchanged else "The behaviour has changed.")
END
