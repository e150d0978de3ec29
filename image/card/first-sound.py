#!/usr/bin/env python3
"""Boots images in turn, prints the times to the first sample: first-sound.py PARTS ROUNDS BAKELITE-IMAGE OTHER-IMAGE"""
import pathlib
import statistics
import sys
import tempfile

from card import Card

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "board"))
from machine import Machine
from station import Station

parts, rounds, station = pathlib.Path(sys.argv[1]), int(sys.argv[2]), Station()
times = {}
for _ in range(rounds):
    for image in sys.argv[3:]:
        with tempfile.TemporaryDirectory() as folder:
            card = Card(image, pathlib.Path(folder))
            if image == sys.argv[3]:
                card.settle()
            board = Machine(parts, folder, station.server_address[1], card.path, card.boot)
            try:
                board.wait("The first sample arrives.", lambda _: board.first_sound is not None, 600)
            finally:
                board.kill()
            times.setdefault(pathlib.Path(image).name, []).append(board.first_sound)
for name, seconds in times.items():
    print(f"{name}: first sample {statistics.median(seconds):.1f} s after the kernel's start (median of "
          f"{', '.join(f'{second:.1f}' for second in sorted(seconds))})")
