#!/usr/bin/env python3
"""Takes a connection away from Bakelite and MPD, and notes which second of the programme each of them is heard to play.

A real Icecast sends a programme in which each tenth of a second has a chord of its own, by way of a proxy that closes
its connections for some seconds, or lets nothing through. Both players play it to a card of their own at the same time.
Usage: outage.py BAKELITE [FILE], where the measured values go to FILE, for Tests/Tools/Pictures/draw.
"""
import array
import math
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import wave

from card import Card, write_asoundrc
from icecast import Icecast, free_port
from players import MPD, Bakelite

# What happens 20 s after both were told to play, and for how long.
CASES = [("cut", 3), ("stall", 10)]
START, LENGTH, PROGRAMME = 20, 60, 100
RATE, SLOT = 44100, 0.1
# A slot's number has four digits to the base of six, each of which is one of six tones of its own.
DIGITS, BASE = 4, 6
TONES = [[400 + 110 * (digit * BASE + value) for value in range(BASE)] for digit in range(DIGITS)]


def digits(slot):
    return [slot // BASE ** digit % BASE for digit in range(DIGITS)]


def write_programme(path):
    """Mono, as a WAV file."""
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        count = int(RATE * SLOT)
        for slot in range(int(PROGRAMME / SLOT) % BASE ** DIGITS):
            steps = [2 * math.pi * TONES[digit][value] / RATE for digit, value in enumerate(digits(slot))]
            first = slot * count
            chord = (sum(math.sin(step * index) for step in steps) for index in range(first, first + count))
            file.writeframes(array.array("h", (int(6000 * value) for value in chord)).tobytes())


def place(samples):
    """The second of the programme that a piece of sound is of; None for silence and for what no slot is alone."""
    if max(map(abs, samples), default=0) < 1000:
        return None
    slot = 0
    for digit in range(DIGITS):
        powers = [power(samples, tone) for tone in TONES[digit]]
        best = max(powers)
        if best < 4 * sorted(powers)[-2]:
            return None
        slot += powers.index(best) * BASE ** digit
    return slot * SLOT


def power(samples, tone):
    """By Goertzel's method, of every fourth sample."""
    factor, a, b = 2 * math.cos(2 * math.pi * tone * 4 / RATE), 0.0, 0.0
    for sample in samples[::4]:
        a, b = sample + factor * a - b, a
    return a * a + b * b - factor * a * b


class HearingCard(Card):
    """A card that writes down what a listener hears, silence included, from its first sound on."""

    def __init__(self, fifo):
        self.heard = pathlib.Path(fifo).with_suffix(".pcm")
        super().__init__(fifo)

    def run(self):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        held, given = bytearray(), 0
        with open(self.heard, "wb") as file:
            while True:
                try:
                    held += os.read(self.fd, self.BUFFER - len(held)) if len(held) < self.BUFFER else b""
                except BlockingIOError:
                    pass
                now = time.monotonic()
                if not self.loud.value and len(held) >= self.BUFFER // 2:
                    self.loud.value = now
                if self.loud.value:
                    due = int((now - self.loud.value) * RATE) * 4 - given
                    file.write(held[:due].ljust(due, b"\0"))
                    file.flush()
                    del held[:due]
                    given += due
                time.sleep(0.005)

    def places(self, began):
        """The second of the programme that is heard at each tenth of a second from a moment on."""
        sound = array.array("h", self.heard.read_bytes()[:int(LENGTH + 5) * RATE * 4])[::2]
        offset, found = self.loud.value - began, []
        for tenth in range(LENGTH * 10):
            first = int((tenth / 10 - offset) * RATE)
            # A slot's border is in one of these at most.
            pieces = [sound[first + shift:first + shift + 1024] for shift in (0, 1600, 3200)] if first >= 0 else []
            found.append(next((p for p in map(place, pieces) if p is not None), None))
        return found


class Proxy:
    """Passes connections on to a port, until it is told otherwise."""

    def __init__(self, port):
        self.upstream, self.port = port, free_port()
        self.pairs = []
        self.passes = threading.Event()
        self.passes.set()
        self.listen()

    def listen(self):
        self.listener = socket.create_server(("127.0.0.1", self.port), backlog=8)
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()

    def accept(self, listener):
        while True:
            try:
                peer, _ = listener.accept()
                self.passes.wait()
                server = socket.create_connection(("127.0.0.1", self.upstream))
            except OSError:
                return
            self.pairs.append((peer, server))
            for pair in ((peer, server), (server, peer)):
                threading.Thread(target=self.pump, args=pair, daemon=True).start()

    def pump(self, source, target):
        try:
            while data := source.recv(2048):
                self.passes.wait()
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def fail(self, case):
        if case == "stall":
            self.passes.clear()
            return
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for pair in self.pairs:
            for end in pair:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
        self.pairs = []

    def recover(self, case):
        if case == "stall":
            self.passes.set()
        else:
            self.listen()


def sleep_until(moment):
    time.sleep(max(0, moment - time.monotonic()))


def play(run, binary, mp3, case, seconds):
    """-> player's name: the second of the programme that it is heard to play, each tenth of a second"""
    run.mkdir()
    write_asoundrc(run)
    icecast = Icecast(run)
    proxy, started = Proxy(icecast.port), []
    try:
        icecast.feed("live", mp3, "audio/mpeg")
        for name in ("bakelite", "mpd"):
            card = HearingCard(run / f"{name}.fifo")
            is_ours = name == "bakelite"
            started.append(Bakelite(binary, run / name, card, drift=None) if is_ours else MPD(run / name, card))
            started[-1].ready()
        time.sleep(6)  # the server gathers a burst
        began = time.monotonic()
        for player in started:
            player.play(f"http://127.0.0.1:{proxy.port}/live")
        sleep_until(began + START)
        proxy.fail(case)
        sleep_until(began + START + seconds)
        proxy.recover(case)
        sleep_until(began + LENGTH + 1)
        for player in started:
            player.card.process.kill()
        return {name: player.card.places(began) for name, player in zip(("bakelite", "mpd"), started)}
    finally:
        for player in started:
            player.end()
            player.card.end()
        icecast.end()


def judge(places):
    """-> (seconds of silence from the failure on, seconds behind where it would have been, or None)"""
    after = places[START * 10:]
    before = next(p - at / 10 for at, p in reversed(list(enumerate(places[:START * 10]))) if p is not None)
    last = [p - at / 10 for at, p in list(enumerate(places))[-50:] if p is not None]
    return sum(p is None for p in after) / 10, before - last[-1] if last else None


def package(name):
    found = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True, check=False)
    return found.stdout or "?"


def main():
    missing = [p for p in ("icecast2", "mpd", "lame") if not shutil.which(p)]
    if missing:
        sys.exit("outage: needs Debian's packages " + " ".join(missing))
    binary = pathlib.Path(sys.argv[1]).resolve()
    version = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    rows, is_good = [], True
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        run = pathlib.Path(folder)
        os.chmod(run, 0o755)
        write_programme(run / "programme.wav")
        mp3 = run / "programme.mp3"
        subprocess.run(["lame", "--quiet", "-b", "128", "--cbr", run / "programme.wav", mp3], check=True)
        for case, seconds in CASES:
            heard = play(run / case, binary, mp3, case, seconds)
            for name, places in heard.items():
                silence, behind = judge(places)
                print(f"{case} of {seconds} s: {name}: {silence:.1f} s of silence in {LENGTH - START} s, "
                      + ("silent at the end" if behind is None else f"{behind:.1f} s later than without it"))
                is_good = is_good and not (name == "bakelite" and behind is None)
            for tenth in range(0, LENGTH * 10, 5):
                values = (places[tenth] for places in heard.values())
                rows.append(",".join([case, f"{tenth / 10:.1f}", *("" if v is None else f"{v:.1f}" for v in values)]))
    if len(sys.argv) > 2:
        pathlib.Path(sys.argv[2]).write_text(
            f"# make outage measured this: {version}, MPD {package('mpd')}, Icecast {package('icecast2')}.\n"
            f"# The connection fails at {START} s: cut for {CASES[0][1]} s, or stalled for {CASES[1][1]} s.\n"
            "case,seconds,bakelite,mpd\n" + "\n".join(rows) + "\n")
    sys.exit(0 if is_good else 1)


main()
