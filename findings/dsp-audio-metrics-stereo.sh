#!/usr/bin/env bash
# dsp-audio-metrics 0.1.1 (PyPI) measures stereo 3 LU too low, and so makes it 3 LU too loud.
# Expected: the powers of the channels are added (ITU-R BS.1770-5, annex 1; the library refers to BS.1770-4). A tone of
# 1 kHz at -23 dBFS in both channels has -23 LUFS (EBU Tech 3341, test case 1).
# Seen: the library takes the mean of the channels, so the tone has -26 LUFS, and a tone in one channel -29. A file
# that it normalizes to -23 LUFS has -20 in pyloudnorm 0.2.0. In mono a second channel is added, which hides the fault.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" dsp-audio-metrics==0.1.1 pyloudnorm==0.2.0 \
  numpy==2.4.6 scipy==1.17.1
PYTHONPATH=$folder/packages python3 - <<'END'
import sys
from importlib.metadata import version
import dsp_audio_metrics, numpy, pyloudnorm

print("dsp-audio-metrics", version("dsp-audio-metrics"), "pyloudnorm", version("pyloudnorm"))
tone = 10 ** (-23 / 20) * numpy.sin(2 * numpy.pi * 1000 * numpy.arange(480000) / 48000)
meter, seen = pyloudnorm.Meter(48000), []
for name, sound in {"mono": tone, "left": numpy.c_[tone, 0 * tone], "left and right": numpy.c_[tone, tone]}.items():
    seen.append((round(meter.integrated_loudness(sound)), round(dsp_audio_metrics.integrated_lufs(sound, 48000))))
    print(f"{name}: expected {seen[-1][0]}, seen {seen[-1][1]} LUFS")
loud = round(meter.integrated_loudness(dsp_audio_metrics.normalize_loudness(sound, 48000, -23)))
print(f"normalized: expected -23, seen {loud} LUFS")
sys.exit(None if seen == [(-26, -26), (-26, -29), (-23, -26)] and loud == -20 else "The behaviour has changed.")
END
