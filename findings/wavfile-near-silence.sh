#!/usr/bin/env bash
# wavfile 4.7.2 (PyPI) writes near-silence at full scale.
# Expected: write() takes integers or floats, finds out which, and scales only floats (docstring). A block of integers
# from -1 to 1 is the end of a fade-out, or silence with dither.
# Seen: a block without a value above 1 counts as floats, although each value is an int. The smallest step of 16 bits
# becomes the largest, so silence turns into the loudest possible noise. The block before, with 2 in it, is right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" wavfile==4.7.2
PYTHONPATH=$folder/packages python3 - "$folder" 2> /dev/null <<'END'
import struct, sys
from importlib.metadata import version
import wavfile

print("wavfile", version("wavfile"))
path = f"{sys.argv[1]}/fade.wav"
blocks = [300, -200, 100, -50], [9, -5, 2, -1], [1, 0, -1, 1]
with wavfile.open(path, "w", sample_rate=44100, num_channels=1, bits_per_sample=16) as file:
    for block in blocks:
        file.write([[sample] for sample in block])
data = open(path, "rb").read()
seen = list(struct.unpack("<12h", data[data.index(b"data") + 8 :][:24]))
print("given:  ", [sample for block in blocks for sample in block])
print("written:", seen)
sys.exit(None if seen == [300, -200, 100, -50, 9, -5, 2, -1, 32767, 0, -32768, 32767]
         else "The behaviour has changed.")
END
