#!/usr/bin/env bash
# pedalboard 0.9.26 plays the second part of a chained Ogg file too low, if the parts have different rates.
# Expected: each link of a chain has its own headers, and its sample rate may differ (RFC 3533, 4; Vorbis I, appendix
# A). A file of 1 s at 44.1 kHz and 1 s at 48 kHz lasts 2 s; both tones have 880 Hz.
# Seen: the samples of both links are returned at the rate of the first one: 2.09 s, and the second tone is at 808 Hz.
# No error is raised.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" pedalboard==0.9.26 soundfile==0.14.0 cffi==2.1.1 \
  pycparser==3.0 numpy==2.4.6 typing_extensions==4.16.0
PYTHONPATH=$folder/packages python3 - "$folder" <<'END'
import sys
from importlib.metadata import version
import numpy, soundfile
from pedalboard.io import AudioFile

print("pedalboard", version("pedalboard"))
chain = b""
for rate in (44100, 48000):
    part = f"{sys.argv[1]}/{rate}.ogg"
    soundfile.write(part, 0.5 * numpy.sin(2 * numpy.pi * 880 * numpy.arange(rate) / rate), rate)
    chain += open(part, "rb").read()
path = f"{sys.argv[1]}/chain.ogg"
open(path, "wb").write(chain)
with AudioFile(path) as file:
    rate = int(file.samplerate)
    heard = file.read(file.frames)[0]


def frequency(samples):
    signs = samples > 0
    return round(float(numpy.sum(signs[1:] > signs[:-1])) * rate / len(samples))


tones = [frequency(heard[2000:42000]), frequency(heard[46000:86000])]
duration = round(len(heard) / rate, 2)
print(f"{duration} s at {rate} Hz, tones of {tones[0]} and {tones[1]} Hz")
is_unchanged = (rate, duration) == (44100, 2.09) and abs(tones[0] - 880) < 4 and abs(tones[1] - 808) < 4
sys.exit(None if is_unchanged else "The behaviour has changed.")
END
