#!/usr/bin/env python3
"""Records a local station for minutes through cut connections, from its first packet on, and compares the bytes.

The station sends MP3 or AAC in real time, with a burst at each connection, and closes each connection after 95 s. The
recording must equal the sent audio: no packet is missing, repeated or damaged.
Usage: recording.py BAKELITE [SECONDS]
"""

import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time

BURST = 8.0
CUT_EVERY = 95.0


class Station:
    """A live station: a listener's start position depends on the time of the connection."""

    def __init__(self, audio, rate, kind):
        self.audio, self.rate, self.kind = audio, rate, kind
        self.start = None
        self.visits = 0
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(8)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            peer, _ = self.listener.accept()
            threading.Thread(target=self.air, args=(peer,), daemon=True).start()

    def piece(self, first, last):
        return self.audio[first:last]

    def air(self, peer):
        peer.recv(8192)
        now = time.monotonic()
        self.start = self.start or now
        self.visits += 1
        sent = int((now - self.start) * self.rate)
        peer.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: %s\r\nicy-name: Bench\r\n\r\n" % self.kind.encode())
        try:
            while time.monotonic() - now < CUT_EVERY:
                due = int((time.monotonic() - self.start + BURST) * self.rate)
                peer.sendall(self.piece(sent, due))
                sent = due
                time.sleep(0.05)
        except OSError:
            pass
        peer.close()


def packets(data):
    """Returns the whole packets of MPEG-1 Layer III at 44.1 kHz, or of ADTS."""
    rates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    at = 0
    while at + 7 < len(data):
        if data[at] != 0xFF or data[at + 1] & 0xE0 != 0xE0:
            at += 1
            continue
        if data[at + 1] & 6:
            size = 144_000 * rates[data[at + 2] >> 4] // 44_100 + (data[at + 2] >> 1 & 1)
        else:
            size = (data[at + 3] & 3) << 11 | data[at + 4] << 3 | data[at + 5] >> 5
        if at + size <= len(data):
            yield data[at:at + size]
        at += size


def programme(data, byte_count):
    """Returns the demo piece's packets in a different order each time, so that no sequence repeats. Each packet decodes
    alone."""
    every, audio, lap = list(packets(data)), bytearray(), 0
    while len(audio) < byte_count:
        order = every[:]
        if lap:
            random.Random(lap).shuffle(order)
        audio += b"".join(order)
        lap += 1
    return bytes(audio)


def player(name, path):
    words = {"ffmpeg": ["-v", "error", "-i", path, "-f", "null", "-"], "mpg123": ["-q", "-t", path]}[name]
    try:
        run = subprocess.run([name] + words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    except FileNotFoundError:
        return f"{name} is not installed"
    return f"{name}: " + (run.stderr.decode().strip()[:200] or "no error")


def bench(program, seconds, name, kind, folder):
    with open(os.path.join(os.path.dirname(__file__), "../../../config/demo", name), "rb") as file:
        data = file.read()
    rate = 16_000 if kind == "audio/mpeg" else 12_400
    audio = programme(data, (seconds + 60) * rate)
    station = Station(audio, rate, kind)
    path = os.path.join(folder, name)
    run = subprocess.run(
        [program, "play", "--output", "null", "--duration", str(seconds), "--events", "-", "--record", path,
         f"http://127.0.0.1:{station.port}/live"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    events = run.stdout.decode().splitlines()
    recorded = open(path, "rb").read()
    expected = station.piece(0, len(recorded))
    same = recorded == expected
    stitches = sum('"event":"stitched"' in line for line in events)
    underruns = [line for line in events if '"event":"summary"' in line]
    print(f"{name}: {len(recorded)} bytes in {seconds} s, {stitches} reconnects, "
          f"{'equal to the sent audio' if same else 'DIFFERENT'}; {player('ffmpeg', path)}"
          + (f"; {player('mpg123', path)}" if kind == "audio/mpeg" else ""))
    print("  " + (underruns[-1] if underruns else "no summary"))
    return same and run.returncode == 0 and len(recorded) > seconds * rate * 0.9


def main():
    program, seconds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 600
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        threads = [
            threading.Thread(target=lambda n=n, k=k: results.__setitem__(n, bench(program, seconds, n, k, folder)))
            for n, k in (("bakelite-demo.mp3", "audio/mpeg"), ("bakelite-demo.aac", "audio/aac"))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    sys.exit(0 if len(results) == 2 and all(results.values()) else 1)


main()
