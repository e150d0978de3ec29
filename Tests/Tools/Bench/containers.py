#!/usr/bin/env python3
"""Plays Ogg Vorbis, Opus and FLAC from a real Icecast for minutes, and compares each title and each sample.

containers.py BAKELITE [SECONDS]     nine radios play in parallel to WAV files for SECONDS (600) each:

ours        a source client of this script sends pieces of oggenc, opusenc and flac end to end, in real time
cut         the same with a burst of 256 KiB, through a proxy that closes the connection inside a page, 50 times
liquidsoap  the same pieces, encoded by liquidsoap

Exits with 1 if a period was late; if a title is missing, repeated, out of order, or not at its first sample; if a
sample is missing, repeated or different (by more than 1 of 32,768 for Vorbis and Opus); or if a cut lost audio.
"""
import os
import pathlib
import random
import shutil
import sys
import tempfile
import threading
import time
import urllib.request

import liquidsoap
from hearing import Listener
from icecast import Icecast, wait_for
from links import CODECS, Programme
from proxy import Proxy

BURST, LEAD = 262_144, 25  # bytes that a new listener receives at once; seconds until each mount has them
CUTS, APART = 50, (4.0, 8.0)  # seconds
PACKAGES = {"icecast2": "icecast2", "oggenc": "vorbis-tools", "oggdec": "vorbis-tools", "opusenc": "opus-tools",
            "opusdec": "opus-tools", "flac": "flac"}


class Bench:
    """The stations and the radios."""

    def __init__(self, run, binary, seconds):
        self.run, self.binary, self.seconds = run, binary, seconds
        self.programme = Programme(run / "pieces", seconds + LEAD + 60)
        for codec in CODECS:
            self.programme.encode(codec)
        self.servers, self.listeners, self.captures, self.soap, self.proxies = {}, [], {}, None, {}

    def begin(self):
        for kind, burst in (("ours", 65_536), ("cut", BURST)):
            (self.run / kind).mkdir()
            self.servers[kind] = Icecast(self.run / kind, burst=burst)
        self.proxies = {codec: Proxy(self.servers["cut"].port) for codec in CODECS}
        for kind, server in self.servers.items():
            for codec in CODECS:
                server.feeders.append(self.programme.feed(server.port, codec, codec))
                wait_for(f"the mount {codec}", lambda: answers(server.url(codec)))
        plain = self.servers["ours"]
        self.kinds = ["ours", "cut"]
        if shutil.which("liquidsoap"):
            self.kinds.append("liquidsoap")
            self.soap = liquidsoap.start(self.run, plain.port, self.programme)
            for codec in CODECS:
                wait_for("liquidsoap", lambda: answers(plain.url(f"liquidsoap-{codec}")), 120)
        else:
            print("containers: liquidsoap is not installed: its mounts are skipped")
        time.sleep(LEAD)
        for kind in self.kinds:
            for codec in CODECS:
                url = plain.url(f"liquidsoap-{codec}" if kind == "liquidsoap" else codec)
                if kind == "cut":
                    url = f"http://127.0.0.1:{self.proxies[codec].port}/{codec}"
                if kind == "liquidsoap":
                    self.captures[codec] = liquidsoap.Capture(self.run, codec, url)
                self.listeners.append(Listener(self.binary, self.run, kind, codec, url, self.seconds))

    def cut(self, listener):
        """Cuts a radio's connection during playback."""
        chance = random.Random(listener.name)
        wait_for("the sound", lambda: listener.events("playing"))
        until = time.monotonic() + self.seconds - 2 * APART[1]
        while listener.cuts < CUTS:
            time.sleep(chance.uniform(*APART))
            if time.monotonic() > until or listener.process.poll() is not None:
                return
            self.proxies[listener.codec].drop(chance.random())
            listener.cuts += 1

    def play(self):
        cutters = [threading.Thread(target=self.cut, args=(listener,), daemon=True)
                   for listener in self.listeners if listener.kind == "cut"]
        for cutter in cutters:
            cutter.start()
        for listener in self.listeners:
            listener.process.wait(self.seconds + 60)
        for capture in self.captures.values():
            capture.end()

    def judge(self):
        """-> (rows, faults)"""
        rows, written = [], self.programme.starts()
        for codec in CODECS:
            sound, starts = self.programme.sound(codec)
            for listener in self.listeners:
                if listener.codec != codec:
                    continue
                slack = int(codec != "flac")
                if listener.kind == "liquidsoap":
                    made = self.captures[codec].sound()
                    rows.append(listener.judge(made, written, self.programme.titles, slack))
                else:
                    rows.append(listener.judge(sound, starts, self.programme.titles, slack))
        return rows, [fault for listener in self.listeners for fault in listener.faults]

    def close(self):
        for listener in self.listeners:
            listener.end()
        if self.soap:
            self.soap.kill()
            self.soap.wait()
        for server in self.servers.values():
            server.end()


def answers(url):
    try:
        urllib.request.urlopen(url, timeout=2).close()
        return True
    except OSError:
        return False


def main():
    binary, seconds = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 600
    missing = sorted({package for program, package in PACKAGES.items() if not shutil.which(program)})
    if missing:
        sys.exit("containers: needs Debian's packages " + " ".join(missing))
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        os.chmod(folder, 0o755)  # Icecast runs as another user
        bench = Bench(pathlib.Path(folder), binary, seconds)
        try:
            bench.begin()
            bench.play()
            rows, faults = bench.judge()
        finally:
            bench.close()
    head = ["radio", "heard s", "underruns", "titles", "frames", "differ", "cuts", "stitches", "lost s", "RssAnon KiB"]
    for line in [head, *rows]:
        print("  ".join(str(cell).rjust(max(10, len(name))) for cell, name in zip(line, head)))
    for fault in faults:
        print("containers: " + fault)
    sys.exit(1 if faults else 0)


main()
