#!/usr/bin/env bash
# lupy 0.0.3 (PyPI) misses a peak in the last 0.4 s of a file.
# Expected: true_peak_max is the largest true peak of all samples, and write_all() processes them all if their number
# is a multiple of the block size (docstrings). Here 10.2 s are 3825 blocks of 128.
# Seen: true peaks are processed in pieces of 400 ms, and nothing completes the last one. A loud end of 0.2 s counts
# for the loudness, as in pyloudnorm 0.2.0, but the peak is 31 dB too low.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" lupy==0.0.3 pyloudnorm==0.2.0 numpy==2.4.6 \
  scipy==1.17.1 typing_extensions==4.16.0
PYTHONPATH=$folder/packages python3 - <<'END'
import math, sys
from importlib.metadata import version
import lupy, numpy, pyloudnorm

print("lupy", version("lupy"), "pyloudnorm", version("pyloudnorm"))
tone = numpy.sin(2 * numpy.pi * 1000 * numpy.arange(489600) / 48000)
seen = []
for name, level in {"even": 0.9, "loud end": 0.025}.items():
    sound = tone * numpy.where(numpy.arange(489600) < 480000, level, 0.9)
    meter = lupy.Meter(block_size=128, num_channels=1, sample_rate=48000)
    meter.write_all(sound[None, :])
    loudness = round(float(meter.integrated_lkfs)), round(pyloudnorm.Meter(48000).integrated_loudness(sound))
    peak = round(20 * math.log10(abs(sound).max())), round(float(meter.true_peak_max))
    seen.append((*loudness, *peak))
    print(f"{name}: {loudness[0]} LUFS (pyloudnorm: {loudness[1]}), peak expected {peak[0]}, seen {peak[1]} dB")
sys.exit(None if seen == [(-4, -4, -1, -1), (-8, -8, -1, -32)] else "The behaviour has changed.")
END
