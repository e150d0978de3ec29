#!/usr/bin/env bash
# miniaudio 1.71 (PyPI) decodes the silence of an 8-bit WAV file as a direct current, but only for float output.
# Expected: samples of up to eight bits are unsigned, and their midpoint is 128 (Microsoft and IBM, Multimedia
# Programming Interface 1.0, chapter 3, "Data Format of the Samples"). Silence is 0 in each output format.
# Seen: as float, 128 becomes 0.0039, because the range 0 to 255 is spread over -1 to 1. A pause in a programme has an
# offset of one whole step, -48 dBFS, and clicks at each start and end. As 16-bit and 32-bit numbers it is 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" miniaudio==1.71 cffi==2.1.1 pycparser==3.0
PYTHONPATH=$folder/packages python3 - <<'END'
import struct, sys
import miniaudio

print(f"miniaudio {miniaudio.__version__}, library {miniaudio.lib_version()}")
silence = bytes([128]) * 8000
form = struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8)
body = b"WAVEfmt " + form + b"data" + struct.pack("<I", len(silence)) + silence
wav = b"RIFF" + struct.pack("<I", len(body)) + body
seen = {}
for name in ("SIGNED16", "SIGNED32", "FLOAT32"):
    decoded = miniaudio.decode(wav, miniaudio.SampleFormat[name], nchannels=1, sample_rate=8000)
    seen[name] = {round(sample, 4) for sample in decoded.samples}
    print(f"{name}: {sorted(seen[name])}")
is_unchanged = seen == {"SIGNED16": {0}, "SIGNED32": {0}, "FLOAT32": {0.0039}}
sys.exit(None if is_unchanged else "The behaviour has changed.")
END
