#!/usr/bin/env python3
"""Measures the time of a station change by stage, and compares it with MPD where the sink allows it.

zap.py BAKELITE CARD [CHANGES]     CARD: the shim with the simulated card. CHANGES: per row; default: 40.

Two stations on loopback send tones of 440 and 660 Hz, 4 s at once and then in real time. A control client orders each
change. The stages are moments of the server (connection, request, first byte) and of the sound: the old tone's last
sample, and the new tone's first sample, on a simulated card with a buffer of 200 ms, in a pipe, or as reported.
"""
import array
import json
import math
import os
import pathlib
import re
import shutil
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from icecast import wait_for

RATE = 44100
TONES = (440, 660)
KINDS = {"mp3": ("audio/mpeg", ["-c:a", "libmp3lame", "-b:a", "128k", "-f", "mp3"], 16_000),
         "aac": ("audio/aac", ["-c:a", "aac", "-b:a", "96k", "-f", "adts"], 12_000),
         "opus": ("audio/ogg", ["-c:a", "libopus", "-b:a", "96k", "-f", "ogg"], 12_500)}
BURST = 4  # seconds that a station sends at once
STAY = 1.2  # seconds between two changes
MOST = {"card": 0.060, "null": 0.022, "pipe": 0.022}


def tone(run, kind, hertz, seconds):
    """-> the encoded tone"""
    path = run / f"{hertz}.{kind}"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i",
         f"sine=frequency={hertz}:sample_rate={RATE if kind != 'opus' else 48000}:duration={seconds},volume=4",
         "-ac", "2", *KINDS[kind][1], path], check=True)
    return path.read_bytes()


class Station:
    """Sends a tone to each listener, and records the moments of the last connection."""

    def __init__(self, sound, kind, certificate=None):
        self.sound, (self.type, _, self.rate) = sound, KINDS[kind]
        # Ogg starts with its headers; other streams start anywhere, without the silence of their encoder's start.
        self.begin = 0 if kind == "opus" else 3 * self.rate
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.context = None
        if certificate:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(certificate)
        self.moments = {}
        threading.Thread(target=self.accept, daemon=True).start()
        scheme = "https" if certificate else "http"
        self.url = f"{scheme}://127.0.0.1:{self.socket.getsockname()[1]}/tone"

    def accept(self):
        while True:
            client, _ = self.socket.accept()
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.serve, args=(client, time.monotonic()), daemon=True).start()

    def serve(self, client, accepted):
        try:
            if self.context:
                client = self.context.wrap_socket(client, server_side=True)
            request = b""
            while b"\r\n\r\n" not in request:
                part = client.recv(4096)
                if not part:
                    return
                request += part
            asked = time.monotonic()
            client.sendall(f"HTTP/1.0 200 OK\r\nContent-Type: {self.type}\r\n\r\n".encode())
            first = sent = self.begin + BURST * self.rate
            self.moments = {"connected": accepted, "requested": asked, "first byte": time.monotonic()}
            client.sendall(self.sound[self.begin:sent])
            begin = time.monotonic()
            while sent < len(self.sound):
                time.sleep(0.05)
                due = first + int((time.monotonic() - begin) * self.rate)
                client.sendall(self.sound[sent:due])
                sent = max(sent, due)
        except OSError:
            pass
        finally:
            client.close()


class Ear:
    """Reads a pipe in real time's order, and records the moment of each chunk."""

    def __init__(self, path):
        self.path, self.chunks = path, []
        os.mkfifo(path)
        self.file = os.open(path, os.O_RDWR)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            data = os.read(self.file, 4096)
            self.chunks.append((time.monotonic(), data))

    def samples(self):
        """-> (moment, left samples) in order"""
        left, rest = [], b""
        for moment, data in list(self.chunks):
            data = rest + data
            whole = len(data) // 4 * 4
            rest = data[whole:]
            left.append((moment, array.array("h", data[:whole])[::2]))
        return left


class CardEar:
    """The recording of a simulated card."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()

    def load(self):
        pcm = array.array("h", (self.folder / "pcm").read_bytes())[::2]
        sections = [line.split() for line in (self.folder / "times").read_text().splitlines()]
        self.pcm, self.sections = pcm, [(int(first), int(start) / 1e9, int(rate)) for first, start, rate in sections]

    def frame(self, moment):
        first, start, rate = max((s for s in self.sections if s[1] <= moment), key=lambda s: s[1])
        return min(len(self.pcm), first + max(0, int((moment - start) * rate)))

    def moment(self, frame):
        first, start, rate = max((s for s in self.sections if s[0] <= frame), key=lambda s: s[0])
        return start + (frame - first) / rate


def strength(samples, hertz, rate):
    """-> the part of a tone in samples (Goertzel), 0 to 1"""
    step = 2 * math.cos(2 * math.pi * hertz / rate)
    one = two = 0.0
    for sample in samples:
        one, two = sample + step * one - two, one
    power = one * one + two * two - step * one * two
    total = sum(s * s for s in samples)
    return 2 * power / (len(samples) * total) if total else 0


def heard(pcm, begin, hertz, rate, seconds=0.7):
    """-> (the last frame of the old tone, the first frame of the new tone) after the frame `begin`, within 3 ms"""
    window, step = rate // 100, rate // 1000
    for at in range(begin, min(len(pcm), begin + int(seconds * rate)) - window, step):
        part = pcm[at:at + window]
        if max(map(abs, part)) > 300 and strength(part, hertz, rate) > 0.6:
            # The start after silence is exact; after the old tone, the new one fills about half of the window.
            silent = [i for i in range(at, at + window) if abs(pcm[i]) > 8]
            first = silent[0] if silent and silent[0] > at + step else at + window // 2
            last = first
            while last > begin and abs(pcm[last - 1]) <= 8:
                last -= 1
            return last, first
    return None


def largest_step(pcm, first, last):
    return max((abs(b - a) for a, b in zip(pcm[first:last], pcm[first + 1:last + 1])), default=0)


class Radio:
    """`bakelite play` with a control socket, or MPD with two queue entries."""

    def __init__(self, run, binary, output, stations, environment):
        self.stations, self.log = stations, run / "events"
        self.process = subprocess.Popen(
            [binary, "play", "--output", output, "--events", self.log, "--control", run / "socket",
             stations[0].url], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        self.client = connect(run / "socket")

    def change(self, number):
        self.client.sendall(f'radio_tune "{self.stations[number].url}"\n'.encode())

    def latencies(self):
        events = [json.loads(line) for line in self.log.read_text().splitlines()]
        return [event["latency"] for event in events if event["event"] == "playing"][1:]

    def end(self):
        self.process.terminate()
        self.process.wait(20)


class Mpd:
    def __init__(self, run, pipe, stations):
        (run / "mpd.conf").write_text(
            f'bind_to_address "{run}/mpd"\nlog_file "{run}/mpd.log"\nzeroconf_enabled "no"\n'
            f'audio_output {{\ntype "fifo"\nname "a"\npath "{pipe}"\nformat "{RATE}:16:2"\nmixer_type "none"\n}}\n')
        self.process = subprocess.Popen(["mpd", "--no-daemon", run / "mpd.conf"], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.client = connect(run / "mpd")
        for station in stations:
            self.client.sendall(f'add "{station.url}"\n'.encode())
        self.change(0)

    def change(self, number):
        self.client.sendall(f"play {number}\n".encode())

    def end(self):
        self.process.terminate()
        self.process.wait(20)


def connect(path):
    wait_for(path, path.exists, 30)
    client = socket.socket(socket.AF_UNIX)
    client.connect(str(path))
    threading.Thread(target=lambda: [None for _ in iter(lambda: client.recv(4096), b"")], daemon=True).start()
    return client


def changes(radio, stations, count):
    """Orders changes. -> the moments of each change by stage"""
    found = []
    time.sleep(3)
    for turn in range(count):
        number = (turn + 1) % 2
        stations[number].moments = {}
        # A change at another phase of the sink's periods each time.
        time.sleep(STAY + turn % 7 * 0.011)
        ordered = time.monotonic()
        radio.change(number)
        wait_for("the connection", lambda: "first byte" in stations[number].moments, 5)
        found.append({"ordered": ordered, "number": number, **stations[number].moments})
    time.sleep(STAY)
    return found


def judge_card(ear, found):
    """-> the rows with the moments of the sound, and the largest step within 50 ms of a change"""
    ear.load()
    steps = 0
    for row in found:
        rate = ear.sections[0][2]
        begin = ear.frame(row["ordered"])
        place = heard(ear.pcm, begin, TONES[row["number"]], rate)
        if place:
            row["old ends"], row["heard"] = (ear.moment(frame) for frame in place)
            steps = max(steps, largest_step(ear.pcm, max(0, place[0] - rate // 20), place[1] + rate // 20))
    # The steepest slope of the higher tone; lossy codecs add noise.
    return steps, int(max(map(abs, ear.pcm)) * 2 * math.pi * max(TONES) / rate)


def judge_pipe(ear, found):
    parts = ear.samples()
    for row in found:
        for moment, samples in parts:
            if moment < row["ordered"] or len(samples) < 200:
                continue
            if max(map(abs, samples)) > 300 and strength(samples, TONES[row["number"]], RATE) > 0.6:
                row["heard"] = moment
                break


def table(rows):
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]
    for number, row in enumerate(rows):
        print("| " + " | ".join(str(cell).ljust(width) for cell, width in zip(row, widths)) + " |")
        if number == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")


STAGES = ["connected", "requested", "first byte", "old ends", "heard"]


def summary(name, sink, kind, found):
    """-> a row of the table: the medians in ms by stage, and the distribution of the last"""
    cells = []
    for stage in STAGES:
        times = [(row[stage] - row["ordered"]) * 1000 for row in found if stage in row]
        cells.append(f"{statistics.median(times):.1f}" if times else "–")
    last = sorted((row["heard"] - row["ordered"]) * 1000 for row in found if "heard" in row)
    spread = f"{last[0]:.0f} … {last[-1]:.0f}" if last else "–"
    return [name, sink, kind, *cells, spread, f"{len(last)}/{len(found)}"]


def measure(run, binary, card, count):
    rows, faults = [["player", "sink", "codec", *STAGES, "range", "heard"]], []
    number = 0
    certificate = run / "both.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", run / "key.pem", "-out",
         run / "certificate.pem", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"],
        check=True, stderr=subprocess.DEVNULL)
    certificate.write_bytes((run / "certificate.pem").read_bytes() + (run / "key.pem").read_bytes())
    seconds = int(count * (STAY + 0.3)) + 20
    sounds = {kind: [tone(run, kind, hertz, seconds) for hertz in TONES] for kind in KINDS}
    cases = [("card", kind, False) for kind in KINDS]
    cases += [("card", "mp3", True), ("null", "mp3", False), ("pipe", "mp3", False)]
    for sink, kind, is_tls in cases:
        number += 1
        folder = run / str(number)
        folder.mkdir()
        stations = [Station(sound, kind, certificate if is_tls else None) for sound in sounds[kind]]
        environment = {**os.environ, "SSL_CERT_FILE": str(run / "certificate.pem"), "HOME": str(folder)}
        ear = None
        if sink == "card":
            ear = CardEar(folder / "card")
            environment["LD_PRELOAD"] = str(card)
            output = f"alsa:bench:{ear.folder}"
        elif sink == "pipe":
            ear = Ear(folder / "pipe")
            output = f"raw:{ear.path}"
        else:
            output = "null"
        radio = Radio(folder, binary, output, stations, environment)
        found = changes(radio, stations, count)
        radio.end()
        if sink == "card":
            steps, usual = judge_card(ear, found)
            if steps > 1.2 * usual:
                faults.append(f"{sink}, {kind}: a step of {steps}, more than 1.2 times {usual}")
        elif sink == "pipe":
            judge_pipe(ear, found)
        else:
            for row, latency in zip(found, radio.latencies()):
                row["heard"] = row["ordered"] + latency
        label = kind + (" by TLS" if is_tls else "")
        rows.append(summary("Bakelite", sink, label, found))
        missing = [row for row in found if "heard" not in row]
        if missing:
            faults.append(f"{sink}, {label}: {len(missing)} changes were not heard")
        median = statistics.median([(r["heard"] - r["ordered"]) for r in found if "heard" in r] or [9])
        if median > MOST[sink]:
            faults.append(f"{sink}, {label}: {1000 * median:.0f} ms, more than {1000 * MOST[sink]:.0f}")
    folder = run / "mpd-run"
    folder.mkdir()
    stations = [Station(sound, "mp3") for sound in sounds["mp3"]]
    ear = Ear(folder / "pipe")
    radio = Mpd(folder, ear.path, stations)
    found = changes(radio, stations, count)
    radio.end()
    judge_pipe(ear, found)
    rows.append(summary("MPD", "pipe", "mp3", found))
    return rows, faults


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    missing = [p for c, p in {"ffmpeg": "ffmpeg", "mpd": "mpd", "openssl": "openssl"}.items() if not shutil.which(c)]
    if missing:
        sys.exit(f"zap: install {' '.join(missing)}")
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 40
    with tempfile.TemporaryDirectory(prefix="zap-") as folder:
        rows, faults = measure(pathlib.Path(folder), pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], count)
    print("Milliseconds after the order, medians; the range is that of the last column of times.\n")
    table(rows)
    for fault in faults:
        print(f"FAULT: {fault}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
