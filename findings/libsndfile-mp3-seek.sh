#!/usr/bin/env bash
# soundfile 0.14.0 (libsndfile 1.2.2 with mpg123) returns wrong samples after each seek in MP3 at 32 kbit/s.
# Expected: a frame may need up to 511 bytes of the frames before it (ISO/IEC 11172-3, 2.4.2.7, main_data_begin), so a
# decoder starts as many frames earlier. A read after seek(n) returns the samples that a read from the start has at n
# (libsndfile, sf_seek).
# Seen: mpg123 starts a fixed number of frames earlier. At 32 kbit/s a frame has 104 bytes, and 511 bytes do not fit
# into them. The first 1,600 to 3,200 samples are zero or wrong, up to 70 ms of a spoken word. From 64 kbit/s on each
# sample is right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" lameenc==1.9.0 soundfile==0.14.0 cffi==2.1.1 \
  pycparser==3.0 numpy==2.4.6 typing_extensions==4.16.0
PYTHONPATH=$folder/packages python3 - "$folder" <<'END'
import sys
import lameenc, numpy, soundfile

print(f"soundfile {soundfile.__version__}, libsndfile {soundfile.__libsndfile_version__}")
noise = (3000 * numpy.random.default_rng(1).standard_normal(441000)).astype("<i2").tobytes()
seen = []
for rate in (32, 64):
    encoder = lameenc.Encoder()
    encoder.set_channels(1)
    encoder.set_in_sample_rate(44100)
    encoder.set_out_sample_rate(44100)
    encoder.set_bit_rate(rate)
    encoder.silence()
    path = f"{sys.argv[1]}/{rate}.mp3"
    open(path, "wb").write(encoder.encode(noise) + encoder.flush())
    whole = soundfile.read(path)[0]
    wrong = []
    for place in range(50000, 400000, 50000):
        with soundfile.SoundFile(path) as file:
            file.seek(place)
            difference = abs(file.read(8000) - whole[place : place + 8000]) > 1e-4
        wrong.append(int(numpy.nonzero(difference)[0][-1]) + 1 if difference.any() else 0)
    seen.append(wrong)
    print(f"{rate} kbit/s: samples until the output is right after seven seeks: {wrong}")
is_unchanged = all(1500 < count < 4000 for count in seen[0]) and not any(seen[1])
sys.exit(None if is_unchanged else "The behaviour has changed.")
END
