#!/usr/bin/env python3
"""Measures the time of a station change by stage, and compares it with MPD where the sink allows it.

zap.py BAKELITE CARD [CHANGES [CSV]]     CARD: the shim with the simulated card. CHANGES: per row; default: 40. CSV: a
file for the plot.

Two stations on loopback send tones of 440 and 660 Hz, 4 s at once and then in real time, or as segments of HLS. A control
client orders each change. The stages are moments of the server (connection, request, first byte) and of the sound: the
old tone's last sample, and the new tone's first sample, on a simulated card with a buffer of 200 ms, in a pipe, or as
reported. The three sinks are measured at the same time, each with its own stations.
"""
import csv
import json
import os
import pathlib
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from icecast import wait_for
from jobs import together
from zapear import CardEar, Ear, judge
from zapstation import KINDS, RATE, TONES, HlsStation, Station, certify, rate, title, tone

STAY = 0.95  # seconds between two changes, longer than the search for the new tone
MOST = {"card": 0.060, "null": 0.022, "pipe": 0.022}
STAGES = ["connected", "requested", "first byte", "old ends", "heard"]
PACKAGES = {"ffmpeg": "ffmpeg", "mpd": "mpd", "openssl": "openssl"}
# The name of each case, its codec, and its server.
CASES = {"MP3": ("mp3", ""), "AAC": ("aac", ""), "Opus": ("opus", ""), "MP3 by TLS": ("mp3", "tls"),
         "AAC by HLS": ("aac", "hls")}


class Radio:
    """`bakelite play` with a control socket."""

    def __init__(self, run, binary, output, stations, environment):
        self.stations, self.log = stations, run / "events"
        self.process = subprocess.Popen(
            [binary, "play", "--output", output, "--events", self.log, "--control", run / "socket",
             stations[0].url], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        self.client = connect(run / "socket")

    def change(self, number):
        self.client.sendall(f'radio_tune "{self.stations[number].url}"\n'.encode())

    def events(self, *names):
        events = [json.loads(line) for line in self.log.read_text().splitlines()]
        return [event for event in events if event["event"] in names]

    def latencies(self):
        return [event["latency"] for event in self.events("playing")][1:]

    def wrong_titles(self):
        """-> (titles of another station than the one that is tuned, stations without a title)"""
        wrong, missing, tuned, seen = 0, 0, None, True
        for event in self.events("connecting", "metadataChanged"):
            # A title without text ends the old station's title.
            if event["event"] == "metadataChanged" and event["title"]:
                seen = True
                wrong += event["title"] != title(tuned.hertz)
            elif event["event"] == "connecting" and (not tuned or event["url"] != tuned.url):
                missing += not seen
                tuned, seen = next(s for s in self.stations if s.url == event["url"]), False
        return wrong, missing

    def end(self):
        self.process.terminate()
        self.process.wait(20)


class Mpd:
    """MPD with two queue entries."""

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
        # A change at another phase of the sink's periods each time.
        time.sleep(STAY + turn % 7 * 0.011)
        stations[number].moments = {}
        ordered = time.monotonic()
        radio.change(number)
        wait_for("the connection", lambda: "first byte" in stations[number].moments, 5)
        found.append({"ordered": ordered, "number": number, **stations[number].moments})
    time.sleep(STAY)
    return found


class Bench:
    """The tones and certificate in the folder `run`, for measurements with `count` changes each."""

    def __init__(self, run, binary, card, count, kinds=tuple(KINDS)):
        self.run, self.binary, self.card, self.count = run, binary, card, count
        self.certificate, self.both = certify(run)
        seconds = int(count * (STAY + 0.5)) + 20
        self.sounds = {kind: [tone(run, kind, hertz, seconds) for hertz in TONES] for kind in kinds}

    def stations(self, case):
        kind, server = CASES[case]
        if server == "hls":
            return [HlsStation(*pair) for pair in zip(self.sounds[kind], TONES)]
        certificate = self.both if server == "tls" else None
        return [Station(sound, kind, hertz, certificate) for sound, hertz in zip(self.sounds[kind], TONES)]

    def bakelite(self, sink, case):
        """-> the changes of one case, and faults"""
        folder = self.run / f"{sink} {case}".replace(" ", "-")
        folder.mkdir()
        stations, ear, output = self.stations(case), None, "null"
        environment = {**os.environ, "SSL_CERT_FILE": str(self.certificate), "HOME": str(folder)}
        if sink == "card":
            ear = CardEar(folder / "card")
            environment["LD_PRELOAD"] = str(self.card)
            output = f"alsa:bench:{ear.folder}"
        elif sink == "pipe":
            ear = Ear(folder / "pipe", rate(CASES[case][0]))
            output = f"raw:{ear.path}"
        radio = Radio(folder, self.binary, output, stations, environment)
        found = changes(radio, stations, self.count)
        radio.end()
        if ear:
            faults = judge(ear, found, stations)
        else:
            faults = []
            for row, latency in zip(found, radio.latencies()):
                row["heard"] = row["ordered"] + latency
        wrong, missing = radio.wrong_titles()
        faults += [f"{wrong} wrong titles"] if wrong else []
        faults += [f"{missing} stations without a title"] if missing else []
        return found, faults + late(found, MOST[sink])

    def mpd(self):
        """-> the changes of MPD with MP3 to a pipe"""
        folder = self.run / "mpd-run"
        folder.mkdir()
        stations, ear = self.stations("MP3"), Ear(folder / "pipe", RATE)
        radio = Mpd(folder, ear.path, stations)
        found = changes(radio, stations, self.count)
        radio.end()
        judge(ear, found, stations)
        return found


def late(found, most):
    times = [row["heard"] - row["ordered"] for row in found if "heard" in row]
    silent = len(found) - len(times)
    faults = [f"{silent} changes were not heard"] if silent else []
    median = statistics.median(times or [9])
    return faults + ([f"{1000 * median:.0f} ms, more than {1000 * most:.0f}"] if median > most else [])


def measure(bench):
    """-> (player, sink, case): changes; and faults"""
    found, faults = {}, []
    for case in CASES:
        print(f"zap: {case}", file=sys.stderr)
        for sink, (rows, wrong) in zip(MOST, together([lambda s=sink: bench.bakelite(s, case) for sink in MOST])):
            found["Bakelite", sink, case] = rows
            faults += [f"{sink}, {case}: {fault}" for fault in wrong]
    print("zap: MPD", file=sys.stderr)
    found["MPD", "pipe", "MP3"] = together([bench.mpd])[0]
    return dict(sorted(found.items(), key=lambda item: (item[0][0], list(MOST).index(item[0][1])))), faults


def milliseconds(rows, stage):
    return [(row[stage] - row["ordered"]) * 1000 for row in rows if stage in row]


def summary(key, rows):
    """-> a row of the table: the medians in ms by stage, and the distribution of the last"""
    medians = [statistics.median(times) if (times := milliseconds(rows, stage)) else None for stage in STAGES]
    times = sorted(milliseconds(rows, "heard")) or [0]
    slow = times[min(len(times) - 1, len(times) * 95 // 100)]
    return [*key, *("–" if m is None else f"{m:.1f}" for m in medians), f"{slow:.0f}", f"{times[-1]:.0f}",
            f"{len(times)}/{len(rows)}"]


def table(rows):
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]
    for number, row in enumerate(rows):
        print("| " + " | ".join(str(cell).ljust(width) for cell, width in zip(row, widths)) + " |")
        if number == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")


def write(path, found):
    """Writes the medians and all times for the plot."""
    with open(path, "w", newline="") as file:
        file.write("# `make zap` wrote this file: milliseconds after an order. The last column has each change.\n")
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["player", "sink", "case", *STAGES, "changes"])
        for key, rows in found.items():
            cells = summary(key, rows)[:3 + len(STAGES)]
            out.writerow([*(cell.replace("–", "") for cell in cells),
                          " ".join(f"{time:.1f}" for time in sorted(milliseconds(rows, "heard")))])


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    missing = [package for program, package in PACKAGES.items() if not shutil.which(program)]
    if missing:
        sys.exit(f"zap: install {' '.join(missing)}")
    if len(sys.argv) > 3 and not sys.argv[3].isdecimal():
        sys.exit(f"zap: the number of changes is no number: {sys.argv[3]}")
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 40
    with tempfile.TemporaryDirectory(prefix="zap-") as folder:
        bench = Bench(pathlib.Path(folder), pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], count)
        found, faults = measure(bench)
    print("Milliseconds after the order: medians, and of the sound also the 95th percentile and the maximum.\n")
    table([["player", "sink", "stream", *STAGES, "95 %", "maximum", "heard"],
           *(summary(*item) for item in found.items())])
    if len(sys.argv) > 4:
        write(sys.argv[4], found)
    for fault in faults:
        print(f"FAULT: {fault}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
