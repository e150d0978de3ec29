#!/usr/bin/env python3
"""Interrupts the network of Bakelite at a live HLS station, and records the audible second of the programme.

A packager splits a programme into segments of 4 s in real time and lists the newest ten. Each tenth of a second has a
different chord. A proxy in front of the packager closes all connections and accepts no more ("cut"), forwards no data
("stall"), or forwards no data and then forgets the connections ("blackhole"). The silence may last as long as the
outage, less the buffer at its start, plus 1 s for "cut" or 4 s otherwise. Exits with 1 if the silence is longer, or if
audio is repeated or lost.
Usage: hls-outage.py BAKELITE [SECONDS,...]
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from card import write_asoundrc
from chords import HearingCard, write_programme
from packager import Packager
from players import Bakelite
from proxy import Proxy

ACTIONS = ("cut", "stall", "blackhole")
# Start of the outage in seconds after the start of the programme, and seconds recorded after the outage.
START, AFTER = 15, 25
SEGMENT, PROGRAMME = 4.0, 129


class Case(threading.Thread):
    """A radio that loses its network for some seconds."""

    def __init__(self, run, binary, packager, action, seconds):
        super().__init__()
        self.action, self.seconds, self.packager = action, seconds, packager
        self.name, self.length = f"{action}-{seconds}", START + seconds + AFTER
        run = run / self.name
        run.mkdir()
        write_asoundrc(run)
        self.proxy = Proxy(packager.port)
        self.card = HearingCard(run / "card.fifo")
        self.player = Bakelite(binary, run / "bakelite", self.card, drift=None)
        self.places, self.has, self.began = [], 0, 0

    def run(self):
        self.began = time.monotonic()
        self.player.play(f"http://127.0.0.1:{self.proxy.port}/{self.name}/live.m3u8")
        self.sleep(START)
        self.proxy.fail(self.action)
        # Counts each requested segment as buffered.
        self.has = self.packager.next.get(self.name, 0) * SEGMENT
        self.sleep(START + self.seconds)
        self.proxy.recover(self.action)
        self.sleep(self.length + 1)
        self.card.process.kill()
        self.places = self.card.places(self.began, self.length)

    def sleep(self, seconds):
        time.sleep(max(0, self.began + seconds - time.monotonic()))

    def end(self):
        self.player.end()
        self.card.end()

    def judge(self):
        """-> (row, true if the case is good)"""
        before = [place for place in self.places[:START * 10] if place is not None]
        if not before:
            return f"| {self.action} | {self.seconds} | never played |", False
        # The current chord continues for 0.1 s.
        held = self.has - before[-1] - 0.1
        heard = [before[-1]] + [place for place in self.places[START * 10:] if place is not None]
        steps = [b - a for a, b in zip(heard, heard[1:])]
        silence = sum(place is None for place in self.places[START * 10:]) / 10
        allowed = max(0, self.seconds - held) + (1 if self.action == "cut" else 4)
        # All values have a resolution of 0.1 s.
        lost, twice = sum(step for step in steps if step > 0.35), -sum(step for step in steps if step < -0.05) + 0.0
        plays = any(place is not None for place in self.places[-20:])
        good = silence <= allowed + 0.1 and lost == 0 and twice == 0 and plays
        figures = " | ".join(f"{value:.1f}" for value in (held, silence, allowed, lost, twice))
        verdict = " " if good else " too long " if plays and lost == 0 and twice == 0 else " incomplete "
        return f"| {self.action} | {self.seconds} | {figures} |{verdict}|", good


def main():
    if not shutil.which("ffmpeg"):
        sys.exit("hls-outage: needs Debian's package ffmpeg")
    binary = pathlib.Path(sys.argv[1]).resolve()
    lengths = [int(word) for word in sys.argv[2].split(",")] if len(sys.argv) > 2 else [1, 3, 10, 30]
    is_good = True
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        run = pathlib.Path(folder)
        write_programme(run / "programme.wav", PROGRAMME)
        mp3 = run / "programme.mp3"
        subprocess.run(["ffmpeg", "-v", "error", "-i", run / "programme.wav", "-c:a", "libmp3lame", "-b:a", "128k",
                        "-write_xing", "0", "-id3v2_version", "0", mp3], check=True)
        print("| network | seconds | buffered | silence | allowed | lost | twice | |")
        print("|---|---:|---:|---:|---:|---:|---:|---|")
        for action in ACTIONS:
            packager = Packager(mp3.read_bytes(), SEGMENT)
            cases = [Case(run, binary, packager, action, seconds) for seconds in lengths]
            try:
                for case in cases:
                    case.start()
                for case in cases:
                    case.join()
            finally:
                for case in cases:
                    case.end()
            for case in cases:
                row, good = case.judge()
                is_good = is_good and good
                print(row, flush=True)
    sys.exit(0 if is_good else 1)


main()
