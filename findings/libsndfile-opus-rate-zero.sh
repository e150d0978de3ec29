#!/usr/bin/env bash
# soundfile 0.14.0 (libsndfile 1.2.2) reduces Opus music to telephone quality if the header has no input rate.
# Expected: the field "input sample rate" is not the rate for playback, and zero means "unspecified". A player decodes
# at 48 kHz if it can (RFC 7845, 5.1, item 5).
# Seen: the value zero chooses the lowest rate, 8 kHz. A tone of 6 kHz is lost, and the caller is not informed. A
# change of this one field decides; the packets are the same.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" soundfile==0.14.0 cffi==2.1.1 pycparser==3.0 \
  numpy==2.4.6 typing_extensions==4.16.0
PYTHONPATH=$folder/packages python3 - "$folder" <<'END'
import struct, sys
import numpy, soundfile

print(f"soundfile {soundfile.__version__}, libsndfile {soundfile.__libsndfile_version__}")


def checksum(page):
    value = 0
    for byte in page:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04C11DB7 if value >> 31 else 0)) & 0xFFFFFFFF
    return value


tone = 0.5 * numpy.sin(2 * numpy.pi * 6000 * numpy.arange(96000) / 48000)
original = f"{sys.argv[1]}/original.opus"
soundfile.write(original, tone, 48000, format="OGG", subtype="OPUS")
data = bytearray(open(original, "rb").read())
size = 27 + data[26] + sum(data[27 : 27 + data[26]])
header = data.index(b"OpusHead")
seen = []
for rate in (48000, 0):
    struct.pack_into("<I", data, header + 12, rate)
    struct.pack_into("<I", data, 22, 0)
    struct.pack_into("<I", data, 22, checksum(data[:size]))
    path = f"{sys.argv[1]}/{rate}.opus"
    open(path, "wb").write(data)
    heard, played = soundfile.read(path)
    level = round(float(numpy.sqrt(2 * numpy.mean(heard[1000:] ** 2))), 2)
    seen.append((played, level))
    print(f"input rate {rate}: played at {played} Hz, the tone has the level {level}")
sys.exit(None if seen == [(48000, 0.5), (8000, 0.0)] else "The behaviour has changed.")
END
