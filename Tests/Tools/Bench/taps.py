#!/usr/bin/env python3
"""Measures the stages before the sink: user-mode instructions per second of stereo audio at 44.1 kHz. Cachegrind counts
them as the difference of a long and a short run. Usage: taps.py TAP-BENCH"""
import pathlib
import re
import subprocess
import sys
import tempfile

from players import GRIND, stripped

NAMES = {
    "nothing": "rendering alone, and generating its input",
    "steer": "drift compensation, while active",
    "gain": "volume other than 0 dB",
    "mono": "both channels mixed to mono",
    "tap": "a tap that halves every sample",
    "copy": "copying for the meters, while a meter is polled",
    "level": "level, polled 11 times a second (with the copying)",
    "spectrum": "spectrum of 20 bands, 11 times a second (with the copying)",
}
SHORT, LONG = 4, 14


def instructions(program, stage, seconds):
    run = subprocess.run([*GRIND, program, stage, str(seconds)], capture_output=True, text=True, check=True)
    return int(re.findall(r"I +refs: +([\d,]+)", run.stderr)[-1].replace(",", ""))


def main(program):
    stages = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    assert set(stages) == set(NAMES), stages
    costs = {s: (instructions(program, s, LONG) - instructions(program, s, SHORT)) / (LONG - SHORT) for s in stages}
    print("| stage | thousand instructions a second |\n|---|---|")
    for stage, cost in costs.items():
        more = cost - (0 if stage == "nothing" else costs["nothing"])
        print(f"| {NAMES[stage]} | {more / 1e3:,.0f} |")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(stripped(sys.argv[1], pathlib.Path(folder)))
