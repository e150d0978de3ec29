#!/usr/bin/env bash
# audio-resampler 0.1.0 (PyPI) delays the sound, reports a latency of 0, and has no way to fetch the end.
# Expected: latency_samples is the delay that the converter adds, so that a caller can compensate it. A sound that is
# converted whole keeps its end.
# Seen: a click at 500 ms comes up to 1.9 ms later, while latency_samples is 0. A click at the end is not in the output,
# and there is no order to flush; silence as further input brings it out. soxr 1.1.0 has no delay.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" audio-resampler==0.1.0 soxr==1.1.0 numpy==2.4.6
PYTHONPATH=$folder/packages python3 - <<'END'
import sys
from importlib.metadata import version
import numpy, soxr
from audio_resampler import Converter

print("audio-resampler", version("audio-resampler"), "soxr", version("soxr"))
seen = []
for source, target in ((44100, 48000), (48000, 16000), (16000, 8000)):
    clicks = numpy.zeros(source, dtype="<i2")
    clicks[[source // 2, -1]] = 30000
    converter = Converter(source, 1, target, 1, "i16")
    found = numpy.frombuffer(converter.process(clicks.tobytes()), "<i2").astype(int)
    later = numpy.frombuffer(converter.process(bytes(source)), "<i2").astype(int)
    right = soxr.resample(clicks, source, target).astype(int)
    delay = [int(abs(sound[: target * 3 // 4]).argmax()) - target // 2 for sound in (right, found)]
    ends = [bool(abs(sound).max() > 2500) for sound in (right[-20:], found[-10:], later[:40])]
    seen.append((delay, converter.latency_samples, ends))
    print(f"{source} to {target}: delay {delay[1]} samples (soxr: {delay[0]}), latency_samples {seen[-1][1]}, "
          f"click at the end {ends[1]} (soxr: {ends[0]}), after it {ends[2]}")
ends = [True, False, True]
sys.exit(None if seen == [([0, 17], 0, ends), ([0, 15], 0, ends), ([0, 15], 0, ends)] else "The behaviour has changed.")
END
