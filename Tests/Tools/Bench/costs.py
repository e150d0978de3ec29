#!/usr/bin/env python3
"""Compares the costs of Bakelite with those of MPD, mpg123 and mpv, each in the same run, and prints a table in Markdown.

costs.py BAKELITE BAKELITED CARD [CSV]     CARD: the shim with the simulated card. CSV: a file for the plot.

cost by codec   user-mode instructions of the process, by cachegrind: the difference of two files over HTTP, 30 and 90 s
                long, which all players play as fast as possible to their null outputs
box             instructions of all threads, by callgrind, of a box with its panel in a terminal, at 60 % volume; MPD with
                its software volume at 60 % plays the same station to its null output in real time
control thread  of that box: a short title, a scrolling title, the spectrum
memory          RssAnon of players of the same station by HTTP, median of five; for Bakelite also without its arena
station change  median of the changes on the card, the null sink and a pipe; MPD on a pipe
"""
import csv
import http.server
import os
import pathlib
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import box as boxes
import gauge
import zap
from box import Box, Station, callgrind, instructions
from icecast import wait_for
from jobs import together
from players import GRIND, stripped

DEMO = pathlib.Path(__file__).resolve().parents[3] / "config/demo/bakelite-demo.mp3"
SHORT, LONG = 30, 90  # seconds of the files
CODECS = {"MP3": ("mp3", ["-c:a", "libmp3lame", "-b:a", "128k"]), "AAC-LC": ("aac", ["-c:a", "aac", "-b:a", "96k"]),
          "Vorbis": ("ogg", ["-c:a", "libvorbis", "-q:a", "4"]), "Opus": ("opus", ["-c:a", "libopus", "-b:a", "96k"]),
          "FLAC": ("oga", ["-c:a", "flac"])}
TYPES = {"mp3": "audio/mpeg", "aac": "audio/aac", "ogg": "audio/ogg", "opus": "audio/ogg", "oga": "audio/ogg"}
PACKAGES = {"ffmpeg": "ffmpeg", "mpd": "mpd", "mpg123": "mpg123", "mpv": "mpv", "valgrind": "valgrind",
            "openssl": "openssl", "strip": "binutils"}
PLAYERS = ["Bakelite", "MPD", "mpg123", "mpv"]
MPG123 = "MP3 by libmpg123"
CHANGES, SAMPLES, SECONDS = 20, 5, 30


class Files:
    """Serves the files of a folder on loopback."""

    def __init__(self, folder):
        class Handler(http.server.SimpleHTTPRequestHandler):
            extensions_map = {f".{end}": kind for end, kind in TYPES.items()}

            def __init__(self, *rest):
                super().__init__(*rest, directory=str(folder))

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{server.server_address[1]}"


class Mpd:
    """MPD with its null output: in real time or as fast as possible."""

    def __init__(self, folder, url, tool=(), is_free=False, volume=None):
        folder.mkdir(exist_ok=True)
        (folder / "mpd.conf").write_text(
            f'bind_to_address "{folder}/mpd"\nlog_file "{folder}/mpd.log"\nzeroconf_enabled "no"\n'
            f'audio_output {{\ntype "null"\nname "n"\nsync "{"no" if is_free else "yes"}"\n'
            f'mixer_type "{"software" if volume else "none"}"\n}}\n')
        self.folder, self.log = folder, folder / "output"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen([*tool, "mpd", "--no-daemon", folder / "mpd.conf"], stdout=log, stderr=log,
                                            stdin=subprocess.DEVNULL)
        wait_for("MPD", lambda: (folder / "mpd").exists(), 60)
        self.ask(*([f"setvol {volume}"] if volume else []), f'add "{url}"', "play")
        wait_for("MPD's sound", lambda: "audio: " in self.ask("status"), 60)

    def ask(self, *commands):
        with socket.socket(socket.AF_UNIX) as wire:
            wire.connect(str(self.folder / "mpd"))
            wire.sendall("".join(f"{command}\n" for command in (*commands, "close")).encode())
            return b"".join(iter(lambda: wire.recv(4096), b"")).decode()

    def end(self):
        self.process.terminate()
        self.process.wait(60)


def counted(text):
    found = re.findall(r"I +refs: +([\d,]+)", text)
    if not found:
        sys.exit(f"costs: valgrind counted nothing: {text[-400:]}")
    return int(found[-1].replace(",", "")) / 1e6


def played(player, program, url):
    """-> million instructions for a file"""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if player == "MPD":
            mpd = Mpd(folder, url, GRIND, is_free=True)
            wait_for("the end", lambda: "state: stop" in mpd.ask("status"), 300)
            mpd.end()
            return counted(mpd.log.read_text(errors="replace"))
        command = {
            "Bakelite": [program, "play", "--pace", "free", "--drift", "off", "--output", "null", url],
            MPG123: [program, "play", "--pace", "free", "--drift", "off", "--mp3-decoder", "mpg123", "--output", "null", url],
            "mpg123": ["mpg123", "-q", "-t", url],
            "mpv": ["mpv", "--no-config", "--load-scripts=no", "--no-video", "--untimed", "--ao=null", "--ao-null-untimed=yes",
                    "--really-quiet", url]}[player]
        run = subprocess.run([*GRIND, *command], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if run.returncode:
            sys.exit(f"costs: {player} failed: {run.stderr[-400:]}")
        return counted(run.stderr)


def by_codec(run, program):
    """-> codec: player: million instructions a minute"""
    server, found = Files(run), {}
    for codec, (end, options) in CODECS.items():
        for seconds in (SHORT, LONG):
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-stream_loop", "-1", "-i", DEMO, "-t", str(seconds), "-vn",
                            *options, run / f"{seconds}.{end}"], check=True)
        players = [player for player in PLAYERS if player != "mpg123" or codec == "MP3"]
        players += [MPG123] if codec == "MP3" else []
        print(f"costs: {codec}", file=sys.stderr)
        pairs = {}
        for player in players:
            pairs[player] = together([lambda p=player, s=seconds: played(p, program, f"{server.url}/{s}.{end}")
                                      for seconds in (SHORT, LONG)])
        found[codec] = {player: (long - short) * 60 / (LONG - SHORT) for player, (short, long) in pairs.items()}
    found[MPG123] = {"Bakelite": found["MP3"].pop(MPG123), "MPD": found["MP3"]["MPD"],
                     "mpg123": found["MP3"]["mpg123"], "mpv": found["MP3"]["mpv"]}
    return found


def box_total(program, settings=""):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        box = Box(stripped(program, folder), folder, [Station(boxes.STILL)], callgrind(folder), settings)
        box.ask("setvol 60")
        return box.total(SECONDS)


def mpd_total():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        mpd = Mpd(folder, Station(boxes.STILL).url, callgrind(folder), volume=60)
        time.sleep(boxes.WARM)
        pid = str(mpd.process.pid)
        subprocess.run(["callgrind_control", "--zero", pid], check=True, capture_output=True)
        begin = time.monotonic()
        time.sleep(SECONDS)
        subprocess.run(["callgrind_control", "--dump=here", pid], check=True, capture_output=True)
        lasted = time.monotonic() - begin
        mpd.end()
        texts = [path.read_text() for path in folder.glob("cost.1-*")]
        return sum(map(instructions, texts)) / lasted * 60 / 1e6


def control(program, case):
    """-> million instructions a minute and allocations a second of the control thread"""
    title, is_spectrum, *_ = boxes.CASES[case]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        box = Box(stripped(program, folder), folder, [Station(title)], callgrind(folder))
        if is_spectrum:
            box.ask("radio_press display press")
        return box.cost(SECONDS)


def memory(run, program):
    """-> player: the median RssAnon in KiB"""
    url = Station(boxes.STILL).url
    mpd = Mpd(run / "mpd-memory", url)
    commands = {"Bakelite": [program, "play", "--output", "null", url], "mpg123": ["mpg123", "-q", "-o", "dummy", url],
                "mpv": ["mpv", "--no-config", "--no-video", "--ao=null", "--really-quiet", url]}
    processes = {player: subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                          stderr=subprocess.DEVNULL) for player, command in commands.items()}
    processes["MPD"], found = mpd.process, {player: [] for player in PLAYERS}
    time.sleep(boxes.WARM)
    for _ in range(SAMPLES):
        time.sleep(1)
        for player, process in processes.items():
            found[player].append(gauge.rss_anon(process.pid))
    for process in processes.values():
        process.terminate()
        process.wait(20)
    return {player: statistics.median(values) for player, values in found.items()}


def arena(program):
    """-> KiB that the radio reserves for its audio"""
    out = subprocess.run([program, "doctor"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"(\d+) KiB  in all", out)
    return int(found[1]) if found else None


def versions(*packages):
    """-> the packages with their versions"""
    form = ["dpkg-query", "-W", "-f", "${Package} ${Version}, ", *packages]
    return subprocess.run(form, capture_output=True, text=True, check=False).stdout.rstrip(", ")


def row(what, values, unit, goal=None):
    """`goal`: the limit of the ratio to MPD"""
    cells = [f"{values[player]:,.0f}" if values.get(player) is not None else "–" for player in PLAYERS]
    ratio = values["Bakelite"] / values["MPD"] if values.get("MPD") else None
    told = "" if goal is None else f"≤ {goal}" + (" (missed)" if ratio > goal else "")
    print(f"| {what} | {unit} | {' | '.join(cells)} | {f'{ratio:.2f}' if ratio else ''} | {told} |", flush=True)
    return [what] if "missed" in told else []


# The limits of Bakelite's instructions in proportion to MPD's.
GOALS = {"AAC-LC": 1.02, "Vorbis": 0.97, "Opus": 0.93, "FLAC": 1.05, MPG123: 0.35}


def measure(run, program, box, card):
    """Prints the table. -> the costs by codec, and the missed limits"""
    missed, small = [], stripped(program, run)
    print(versions("mpd", "mpg123", "mpv") + "\n")
    costs = by_codec(run, small)
    print("| | unit | " + " | ".join(PLAYERS) + " | ratio to MPD | goal |\n|---|---|--:|--:|--:|--:|--:|---|")
    for codec, values in costs.items():
        missed += row(f"`play`, {codec}", values, "M instructions a minute", GOALS.get(codec))
    print("costs: box", file=sys.stderr)
    theirs, ours, fast = together([
        mpd_total, lambda: box_total(box), lambda: box_total(box, '[decoding]\nmp3_decoder = "mpg123"\n')])
    missed += row("the box, MP3", {"Bakelite": ours, "MPD": theirs}, "M instructions a minute", 0.95)
    missed += row("the box, MP3 by libmpg123", {"Bakelite": fast, "MPD": theirs}, "M instructions a minute", 0.33)
    for case, (cost, allocations) in zip(boxes.CASES, together([lambda c=c: control(box, c) for c in boxes.CASES])):
        row(f"its control thread, {case}", {"Bakelite": cost}, "M instructions a minute")
        row(f"its control thread, {case}", {"Bakelite": allocations}, "allocations a second")
    print("costs: memory", file=sys.stderr)
    kibibytes = memory(run, program)
    row("memory, MP3 by HTTP", kibibytes, "KiB")
    if reserved := arena(program):
        row("memory beyond the arena", {"Bakelite": kibibytes["Bakelite"] - reserved}, "KiB")
    print("costs: station changes", file=sys.stderr)
    bench = zap.Bench(run, program, card, CHANGES, ["mp3"])
    *ours, theirs = together([*(lambda s=sink: bench.bakelite(s, "MP3")[0] for sink in zap.MOST), bench.mpd])
    medians = [statistics.median(zap.milliseconds(rows, "heard")) for rows in (*ours, theirs)]
    for sink, median in zip(zap.MOST, medians):
        row(f"station change, {sink}", {"Bakelite": median, "MPD": medians[-1] if sink == "pipe" else None}, "ms")
    return costs, missed


def write(path, costs):
    with open(path, "w", newline="") as file:
        file.write("# `make figures` wrote this file: million instructions a minute.\n")
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["codec", *PLAYERS])
        for codec, values in costs.items():
            out.writerow([codec, *(f"{values[player]:.0f}" if player in values else "" for player in PLAYERS)])


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    missing = sorted({package for program, package in PACKAGES.items() if not shutil.which(program)})
    if missing:
        sys.exit("costs: needs Debian's packages: " + " ".join(missing))
    program, box = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        os.chmod(folder, 0o755)
        costs, missed = measure(pathlib.Path(folder), program, box, sys.argv[3])
    if len(sys.argv) > 4:
        write(sys.argv[4], costs)
    for what in missed:
        print(f"costs: missed: {what}", file=sys.stderr)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
