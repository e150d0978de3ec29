#!/usr/bin/env python3
"""Plays hours of audio faster than real time, and checks that memory and descriptors do not grow and samples are whole.

hours.py BAKELITE [HOURS]     HOURS (10) of audio for each of three radios:

live    MP3 from an endless station, with a title every minute, to the null sink; stops after HOURS
mp3     a file of HOURS over HTTP, to a pipe: the script counts the PCM and compares its loops
aac     the same in AAC-LC, counted only: its substituted noise (PNS) differs in each loop
"""
import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time
import zlib

import gauge
from icecast import frames

DEMO = pathlib.Path(__file__).resolve().parents[3] / "config/demo"
METAINT = 16000
TITLE_EVERY = 60  # blocks of METAINT bytes, which last a second each
GROWTH = 64  # KiB allowed after the first tenth


class Programme:
    """The demo piece in a loop without a gap; frames are complete at the seam."""

    def __init__(self, name, samples, silent, hours):
        self.parts = [frame for frame, _ in frames((DEMO / f"bakelite-demo.{name}").read_bytes())]
        self.loop, self.samples = b"".join(self.parts), samples
        self.count = -(-int(hours * 3600 * 44100) // samples)
        self.heard = (self.count - silent) * samples
        whole, rest = divmod(self.count, len(self.parts))
        self.size = whole * len(self.loop) + len(b"".join(self.parts[:rest]))

    def bytes(self, size=None):
        """Yields the first `size` bytes, or all bytes forever."""
        while size is None or size > 0:
            yield self.loop if size is None else self.loop[:size]
            size = None if size is None else size - len(self.loop)


class Server:
    """Serves the programmes as fast as possible: /live with titles and without an end, the others with their length."""

    def __init__(self, programmes):
        self.programmes = programmes
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection, _ = self.socket.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        try:
            path = connection.recv(65536).split()[1].decode().strip("/")
            if path == "live":
                self.serve_live(connection, self.programmes["mp3"])
            else:
                programme = self.programmes[path]
                connection.sendall(f"HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: {programme.size}\r\n"
                                   "Accept-Ranges: bytes\r\n\r\n".encode())
                for block in programme.bytes(programme.size):
                    connection.sendall(block)
        except OSError:
            pass  # the radio has received enough
        finally:
            connection.close()

    def serve_live(self, connection, programme):
        connection.sendall(f"HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\nicy-metaint: {METAINT}\r\n\r\n".encode())
        left, number = b"", 0
        for block in programme.bytes():
            left += block
            while len(left) >= METAINT:
                text = b""
                if number % TITLE_EVERY == 0:
                    text = f"StreamTitle='Somebody - Piece {number // TITLE_EVERY}';".encode()
                    text += bytes(-len(text) % 16)
                number += 1
                connection.sendall(left[:METAINT] + bytes([len(text) // 16]) + text)
                left = left[METAINT:]


class PcmCount:
    """Counts the bytes from a pipe and computes a checksum of each loop."""

    def __init__(self, pipe, loop_bytes):
        self.pipe, self.loop_bytes = pipe, loop_bytes
        self.count, self.sums = 0, []
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        room, total = self.loop_bytes, 0
        while block := self.pipe.read(min(room, 1 << 18)):
            self.count += len(block)
            total, room = zlib.crc32(block, total), room - len(block)
            if room == 0:
                self.sums.append(total)
                room, total = self.loop_bytes, 0


class Radio:
    """A running `bakelite play` with measurements."""

    def __init__(self, name, binary, folder, url, hours, programme=None):
        self.name, self.programme, self.events = name, programme, folder / f"{name}.jsonl"
        sink = ["--output", "raw:-", "--format", "s16le/44100/2"] if programme else [
            "--output", "null", "--duration", str(hours * 3600)]
        self.log = folder / f"{name}.log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [binary, "play", "--pace", "free", "--drift", "off", *sink, "--events", self.events, url],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE if programme else subprocess.DEVNULL, stderr=log)
        self.pcm = PcmCount(self.process.stdout, len(programme.parts) * programme.samples * 4) if programme else None
        self.memory, self.descriptors = [], []

    def look(self):
        """Measures once. Returns false if the process has ended."""
        try:
            memory, descriptors = gauge.rss_anon(self.process.pid), gauge.descriptors(self.process.pid)
        except (OSError, KeyError):
            return False
        if self.process.poll() is None:
            self.memory.append(memory)
            self.descriptors.append(descriptors)
        return self.process.poll() is None

    def judge(self, hours):
        """-> (row, faults)"""
        code = self.process.wait(30)
        wrong = [] if code == 0 else [f"ended with {code}: {self.log.read_text(errors='replace')[-300:]}"]
        summary = next((e for e in map(json.loads, open(self.events)) if e["event"] == "summary"), {})
        # The first tenth is a warm-up; the last measurement may be at the end of the process.
        settled = self.memory[len(self.memory) // 10:-1] or [0]
        tenth = max(1, len(self.descriptors) // 10)
        # The radio itself may open /proc during a measurement: the minimum counts.
        looks = self.descriptors
        open_files = [min(looks[tenth:3 * tenth] or [0]), min(looks[-2 * tenth - 1:-1] or [0])]
        if len(settled) < 5:
            wrong.append("too short for measurements of the memory; use more HOURS")
        if max(settled) - settled[0] > GROWTH:
            wrong.append(f"RssAnon grew from {settled[0]} to {max(settled)} KiB")
        if open_files[1] > open_files[0]:
            wrong.append(f"descriptors grew from {open_files[0]} to {open_files[1]}")
        for key in ("underruns", "reconnects", "stitches"):
            if summary.get(key) != 0:
                wrong.append(f"{key}: {summary.get(key)}")
        samples = self.count_samples(summary, hours, wrong)
        return [self.name, samples, settled[0], max(settled), settled[-1], *open_files], wrong

    def count_samples(self, summary, hours, wrong):
        heard = summary.get("heard", 0)
        if not self.pcm:
            if abs(heard - hours * 3600) > 0.001:
                wrong.append(f"heard {heard} s of {hours * 3600}")
            titles = -(-(hours * 3600 - METAINT / 16000) // TITLE_EVERY)
            if summary.get("titles") != titles:
                wrong.append(f"{summary.get('titles')} titles reported, {titles} sent in that time")
            return round(heard * 44100)
        self.pcm.thread.join(30)
        sent = self.programme.heard
        if self.pcm.count != sent * 4:
            wrong.append(f"{self.pcm.count} bytes of PCM instead of {sent * 4}")
        if abs(heard - sent / 44100) > 0.001:
            wrong.append(f"heard {heard} s instead of {sent / 44100:.3f}")
        # The first loop starts without a previous loop; its start may differ.
        if self.name == "mp3" and len(set(self.pcm.sums[1:])) > 1:
            first = next(i for i, s in enumerate(self.pcm.sums[1:], 1) if s != self.pcm.sums[1])
            wrong.append(f"loop {first} differs from loop 1")
        return self.pcm.count // 4


def main():
    binary, hours = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 10.0
    # libfaad decodes nothing from the first frame.
    programmes = {"mp3": Programme("mp3", 1152, 0, hours), "aac": Programme("aac", 1024, 1, hours)}
    server = Server(programmes)
    began, faults = time.monotonic(), []
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        url = f"http://127.0.0.1:{server.port}"
        radios = [Radio("live", binary, pathlib.Path(folder), f"{url}/live", hours)]
        radios += [Radio(name, binary, pathlib.Path(folder), f"{url}/{name}", hours, programme)
                   for name, programme in programmes.items()]
        try:
            while any([radio.look() for radio in radios]):
                time.sleep(0.25)
                if time.monotonic() - began > 600 + hours * 360:
                    sys.exit("hours: timeout")
            rows = []
            for radio in radios:
                row, wrong = radio.judge(hours)
                rows.append(row)
                faults += [f"{radio.name}: {w}" for w in wrong]
        finally:
            for radio in radios:
                radio.process.kill()
    print(f"{hours:g} hours of audio three times in {time.monotonic() - began:.0f} s")
    head = ["radio", "samples", "RssAnon KiB", "maximum", "last", "descriptors", "at the end"]
    for line in [head, *rows]:
        print("  ".join(str(cell).rjust(13) for cell in line))
    for fault in faults:
        print("hours: " + fault)
    sys.exit(1 if faults else 0)


main()
