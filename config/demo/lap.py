#!/usr/bin/env python3
"""Copies whole frames out of an MP3 (MPEG-1 Layer III) or AAC (ADTS) file without other data.

    lap.py IN OUT SKIP COUNT

skips SKIP frames and writes the next COUNT frames.
"""

import sys

BIT_RATES = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]


def length(data, at):
    if data[at] == 0xFF and data[at + 1] & 0xF6 == 0xF0:
        return (data[at + 3] & 3) << 11 | data[at + 4] << 3 | data[at + 5] >> 5
    if data[at] == 0xFF and data[at + 1] & 0xFE == 0xFA:
        bits = BIT_RATES[(data[at + 2] >> 4) - 1] * 1_000
        return 144 * bits // [44_100, 48_000, 32_000][data[at + 2] >> 2 & 3] + (data[at + 2] >> 1 & 1)
    sys.exit(f"There is no frame at byte {at}.")


def main():
    source, target, skip, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    with open(source, "rb") as file:
        data = file.read()
    borders = [0]
    while len(borders) <= skip + count:
        borders.append(borders[-1] + length(data, borders[-1]))
    if borders[-1] > len(data):
        sys.exit(f"{source} holds fewer than {skip + count} frames.")
    with open(target, "wb") as file:
        file.write(data[borders[skip] : borders[skip + count]])


main()
