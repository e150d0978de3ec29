#!/usr/bin/env python3
"""Compares Bakelite's costs of an HLS station and of the same programme by Icecast: instructions, wake-ups, memory.

The programme is the demo piece in MP3. The HLS station lists the newest ten segments of 6 s; Icecast is a real Icecast.
Both use HTTP, and HTTPS for the memory. Exits with 1 if HLS uses more than 1.05 times the instructions, more than 1.02
times the wake-ups, or more than 10.5 MiB of anonymous memory over HTTPS.
Usage: hls-figures.py BAKELITE [SECONDS]
"""
import pathlib
import re
import shutil
import sys
import tempfile
import time

import gauge
from card import Card, write_asoundrc
from icecast import Icecast
from packager import Packager
from players import GRIND, Bakelite, stripped

DEMO = pathlib.Path(__file__).resolve().parents[3] / "config/demo/bakelite-demo.mp3"
WARM = 20  # seconds of play before the measurement
MOST_INSTRUCTIONS, MOST_WAKES, MOST_MEMORY = 1.05, 1.02, 10_752


class Bench:
    def __init__(self, run, binary, seconds):
        self.run, self.binary, self.seconds, self.playing = run, stripped(binary, run), seconds, []
        write_asoundrc(run)
        self.icecast = Icecast(run, tls=True)
        self.icecast.feed("mp3", DEMO, "audio/mpeg")
        length = 6 * (seconds + WARM) + 300
        self.plain, self.safe = (
            Packager(DEMO.read_bytes(), 6.0, certificate, length) for certificate in (None, run / "both.pem"))
        time.sleep(6)  # Icecast's mounts need a burst

    def play(self, url, **more):
        folder = self.run / f"player-{len(self.playing)}"
        player = Bakelite(self.binary, folder, Card(folder.with_suffix(".fifo")), **more)
        self.playing.append(player)
        player.play(url)
        return player

    def pair(self, **more):
        """Starts a player for HLS and a player for Icecast. Returns both."""
        return [self.play(self.plain.url("a"), **more), self.play(self.icecast.url("mp3"), **more)]

    def end(self, players):
        for player in players:
            player.end()
            player.card.end()

    def close(self):
        self.end([player for player in self.playing if player.process.poll() is None])
        self.icecast.end()


def instructions(bench):
    """Returns millions of instructions per minute for each: two parallel runs with different durations."""
    short, long = bench.pair(prefix=GRIND), bench.pair(prefix=GRIND)
    counts = {}
    for players, seconds in ((short, WARM), (long, bench.seconds)):
        time.sleep(seconds)
        for player in players:
            sound = player.card.seconds()
            player.end()
            found = re.findall(r"I +refs: +([\d,]+)", player.log())
            if not found:
                raise SystemExit(f"hls-figures: valgrind counted nothing: {player.log()[-400:]}")
            counts[player] = int(found[-1].replace(",", "")) / 1e6, sound
            player.card.end()
    return [
        (counts[b][0] - counts[a][0]) / (counts[b][1] - counts[a][1]) * 60 for a, b in zip(short, long)]


def wakes(bench):
    """Returns wake-ups per second for each, measured in parallel."""
    players = bench.pair()
    time.sleep(WARM)
    before = [gauge.Snapshot(player.pid) for player in players]
    time.sleep(bench.seconds)
    found = [gauge.Snapshot(player.pid).since(mark) for player, mark in zip(players, before)]
    bench.end(players)
    for cost in found:
        print(f"hls-figures: {cost[2]}", file=sys.stderr)
    return [cost[1] for cost in found]


def memory(bench):
    """Returns the maximum anonymous memory for each over HTTPS, in KiB."""
    players = [bench.play(url, trusts=bench.icecast.certificate)
               for url in (bench.safe.url("b"), bench.icecast.tls_url("mp3"))]
    most = [0, 0]
    for _ in range(max(1, (WARM + bench.seconds) // 5)):
        time.sleep(5)
        most = [max(m, gauge.rss_anon(player.pid)) for m, player in zip(most, players)]
    if not all(player.card.seconds() > 10 for player in players):
        raise SystemExit(f"hls-figures: no sound over HTTPS: {[player.log()[-300:] for player in players]}")
    bench.end(players)
    return most


def main():
    for command, package in {"icecast2": "icecast2", "valgrind": "valgrind", "openssl": "openssl"}.items():
        if not shutil.which(command):
            sys.exit(f"hls-figures: needs Debian's package {package}")
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        bench = Bench(pathlib.Path(folder), pathlib.Path(sys.argv[1]).resolve(), seconds)
        try:
            counted, woken, held = instructions(bench), wakes(bench), memory(bench)
        finally:
            bench.close()
    print("| | HLS | Icecast | ratio |\n|---|---:|---:|---:|")
    rows = [("instructions, million a minute", counted), ("wake-ups a second", woken), ("memory over HTTPS, KiB", held)]
    for name, (hls, icecast) in rows:
        print(f"| {name} | {hls:,.1f} | {icecast:,.1f} | {hls / icecast:.3f} |")
    faults = []
    if counted[0] > MOST_INSTRUCTIONS * counted[1]:
        faults.append(f"HLS uses more than {MOST_INSTRUCTIONS} times the instructions.")
    if woken[0] > MOST_WAKES * woken[1]:
        faults.append(f"HLS has more than {MOST_WAKES} times the wake-ups.")
    if held[0] > MOST_MEMORY:
        faults.append(f"HLS uses more than {MOST_MEMORY} KiB over HTTPS.")
    for fault in faults:
        print(f"hls-figures: {fault}")
    sys.exit(1 if faults else 0)


main()
