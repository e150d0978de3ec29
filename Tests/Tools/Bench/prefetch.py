#!/usr/bin/env python3
"""Measures the cost of stations that are received in advance ([prefetch]), beside a box without them.

prefetch.py BAKELITED [SECONDS]     SECONDS: duration of each measurement. Default: 60.

Three stations on loopback send MP3 with 128 kbit/s in real time. callgrind counts user-mode instructions of all threads,
after both neighbours are connected. Anonymous memory is RssAnon of a box without callgrind.
"""
import pathlib
import sys
import tempfile
import time

from box import Box, Station, arguments, callgrind
from players import stripped

SETTLING = 5  # seconds until both neighbours are connected


def run(program, neighbours, seconds, *, counts):
    """-> million instructions a minute, or KiB of anonymous memory"""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        stations = [Station("Ann - Song") for _ in range(3)]
        box = Box(
            stripped(program, folder), folder, stations, callgrind(folder) if counts else [],
            f"[prefetch]\nneighbours = {neighbours}\n")
        time.sleep(SETTLING)
        listeners = [station.listeners for station in stations]
        if sum(listeners) != 1 + neighbours:
            sys.exit(f"prefetch: connections {listeners} with {neighbours} neighbours")
        return box.total(seconds) if counts else box.memory()


def main():
    program, seconds = arguments(60)
    print(f"Stations in advance, {seconds:.0f} s each\n\n| neighbours | million instructions a minute | anonymous memory, "
          "KiB |\n|--:|--:|--:|")
    for neighbours in (0, 2):
        cost = run(program, neighbours, seconds, counts=True)
        kibibytes = run(program, neighbours, seconds, counts=False)
        print(f"| {neighbours} | {cost:.0f} | {kibibytes} |", flush=True)


if __name__ == "__main__":
    main()
