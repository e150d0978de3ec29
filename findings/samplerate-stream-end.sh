#!/usr/bin/env bash
# samplerate 0.2.4 (PyPI) loses the end of a stream, and no later call returns it.
# Expected: a stream in blocks has as many samples as the same sound in one piece. With end_of_input the library
# returns what it still holds, in several calls if one has no room for it (libsamplerate, src_process).
# Seen: each call has room only for its own block times the ratio. At the end, 156 of 48,000 samples stay inside, 3 ms,
# and later calls return nothing. soxr 1.1.0 returns all.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" samplerate==0.2.4 soxr==1.1.0 numpy==2.4.6
PYTHONPATH=$folder/packages python3 - <<'END'
import sys
from importlib.metadata import version
import numpy, samplerate, soxr

print("samplerate", version("samplerate"), "soxr", version("soxr"))
sound = numpy.sin(numpy.arange(44100) / 10).astype("float32")
blocks = [(sound[start : start + 1000], start + 1000 >= len(sound)) for start in range(0, len(sound), 1000)]
ratio, seen = 48000 / 44100, []
for kind in ("sinc_best", "sinc_medium", "sinc_fastest"):
    stream = samplerate.Resampler(kind, channels=1)
    count = sum(len(stream.process(block, ratio, end_of_input=is_last)) for block, is_last in blocks)
    later = sum(len(stream.process(sound[:0], ratio, end_of_input=True)) for _ in range(3))
    whole = len(samplerate.resample(sound, ratio, kind))
    seen.append((count, later, whole))
    print(f"{kind}: expected {whole}, seen {count}, later {later}")
stream = soxr.ResampleStream(44100, 48000, 1)
count = sum(len(stream.resample_chunk(block, last=is_last)) for block, is_last in blocks)
print("soxr:", count)
sys.exit(None if seen == [(47844, 0, 48000), (47950, 0, 48000), (47979, 0, 48000)] and count == 48000
         else "The behaviour has changed.")
END
