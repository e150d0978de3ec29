#!/usr/bin/env bash
# FFmpeg 9.0.2 (PyPI imageio-ffmpeg 0.8.1) reads whole numbers as floats.
# Expected: a WAVE_FORMAT_EXTENSIBLE file with a container of 32 bits, 24 valid bits and the PCM subformat has samples
# that are whole numbers, aligned to the top of their containers (Microsoft, WAVEFORMATEXTENSIBLE, wValidBitsPerSample).
# Seen: FFmpeg chooses pcm_f24le, "PCM 24.0 floating point", and reads the same bytes as 32-bit floats. A tone of half
# the full scale becomes samples of up to 10^31, its duration is 4/3 of the true one, and the exit code is 0. The same
# bytes with 32 valid bits are right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" imageio-ffmpeg==0.8.1
ffmpeg=$(find "$folder/packages" -name 'ffmpeg-*' -type f)
"$ffmpeg" -version | sed -n 1p
python3 - "$ffmpeg" "$folder" <<'END'
import array, math, re, struct, subprocess, sys

ffmpeg, folder = sys.argv[1:]
tone = [int(0.5 * 8388607 * math.sin(2 * math.pi * 440 * i / 44100)) * 256 for i in range(44100)]
samples = struct.pack(f"<{len(tone)}i", *tone)
pcm = bytes.fromhex("0100000000001000800000aa00389b71")


def wav(valid_bits):
    form = struct.pack("<HHIIHHHHI", 0xFFFE, 1, 44100, 44100 * 4, 4, 32, 22, valid_bits, 4) + pcm
    body = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(samples)) + samples
    return b"RIFF" + struct.pack("<I", len(body)) + body


def play(valid_bits):
    path = f"{folder}/{valid_bits}.wav"
    open(path, "wb").write(wav(valid_bits))
    run = subprocess.run([ffmpeg, "-i", path, "-f", "f32le", "-"], capture_output=True, check=True)
    log = run.stderr.decode()
    heard = array.array("f", run.stdout)
    error = max(abs(a - b / 2**31) for a, b in zip(heard, tone))
    return re.search(r"Audio: (\w+)", log)[1], re.search(r"Duration: ([\d:.]+)", log)[1], error


right, seen = play(32), play(24)
print("32 of 32 bits valid: %s, duration %s, largest error %.6f" % right)
print("24 of 32 bits valid: %s, duration %s, largest error %.6f" % seen)
is_unchanged = right[:2] == ("pcm_s32le", "00:00:01.00") and right[2] < 1e-6
is_unchanged &= seen[:2] == ("pcm_f24le", "00:00:01.33") and not seen[2] < 0.4
sys.exit(None if is_unchanged else "The behaviour has changed.")
END
