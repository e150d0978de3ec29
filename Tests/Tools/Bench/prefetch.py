#!/usr/bin/env python3
"""Measures the cost of stations that are received in advance ([prefetch]), beside a box without them.

prefetch.py BAKELITED [SECONDS]     SECONDS: duration of each measurement. Default: 60.

Three stations on loopback send MP3 with 128 kbit/s in real time, by HTTP and by HTTPS. callgrind counts user-mode
instructions of all threads, after both neighbours are connected. Anonymous memory is RssAnon of a box without callgrind.
A cost of the neighbours above its limit is an error.
"""
import pathlib
import shutil
import sys
import tempfile
import time

from box import Box, Station, arguments, callgrind
from players import stripped
from zapstation import certify, server_context

SETTLING = 5  # seconds until both neighbours are connected
# Limits for both neighbours: million instructions a minute, KiB of anonymous memory. The ring's blocks were touched
# before, so that the neighbours' packets are not in the second figure.
LIMITS = {"HTTP": (40, 350), "HTTPS": (80, None)}


def run(program, scheme, neighbours, seconds, *, counts):
    """-> million instructions a minute, or KiB of anonymous memory"""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        trusts, both = certify(folder) if scheme == "HTTPS" else (None, None)
        stations = [Station("Ann - Song", context=server_context(both)) for _ in range(3)]
        box = Box(
            stripped(program, folder), folder, stations, callgrind(folder) if counts else [],
            f"[prefetch]\nneighbours = {neighbours}\n", trusts)
        time.sleep(SETTLING)
        listeners = [station.listeners for station in stations]
        if sum(listeners) != 1 + neighbours:
            sys.exit(f"prefetch: connections {listeners} with {neighbours} neighbours")
        return box.total(seconds) if counts else box.memory()


def main():
    program, seconds = arguments(60)
    if not shutil.which("openssl"):
        sys.exit("prefetch: openssl is not installed")
    print(f"Stations in advance, {seconds:.0f} s each\n\n| stations by | neighbours | million instructions a minute | "
          "anonymous memory, KiB |\n|---|--:|--:|--:|")
    excess = []
    for scheme, limits in LIMITS.items():
        figures = []
        for neighbours in (0, 2):
            cost = run(program, scheme, neighbours, seconds, counts=True)
            kibibytes = run(program, scheme, neighbours, seconds, counts=False)
            figures.append((cost, kibibytes))
            print(f"| {scheme} | {neighbours} | {cost:.0f} | {kibibytes} |", flush=True)
        more = [with_them - alone for alone, with_them in zip(*figures)]
        print(f"| {scheme} | 2 more | {more[0]:.0f} | {more[1]} |", flush=True)
        excess += [f"{scheme}: {value:.0f} above {limit}"
                   for value, limit in zip(more, limits) if limit and value > limit]
    if excess:
        sys.exit(f"prefetch: {'; '.join(excess)}")


if __name__ == "__main__":
    main()
