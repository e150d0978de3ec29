#!/usr/bin/env python3
"""Measures Bakelite and MPD on the same station at the same time, and prints a table in Markdown.

figures.py BAKELITE [SECONDS]     SECONDS: duration of each measurement. Default: 60.
"""
import itertools
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import wave

import gauge
from card import Card, write_asoundrc
from icecast import Icecast, answers, free_port, wait_for
from links import CODECS, Programme
from players import GRIND, MPD, Bakelite, stripped
from wavstation import WavStation

ROOT = pathlib.Path(__file__).resolve().parents[3]
DEMO = ROOT / "config/demo"
PACKAGES = {"icecast2": "icecast2", "mpd": "mpd", "valgrind": "valgrind", "openssl": "openssl", "strip": "binutils",
            "oggenc": "vorbis-tools", "opusenc": "opus-tools", "flac": "flac"}
NAMES = {"mp3": "MP3 128 kbit/s", "aac": "AAC-LC 96 kbit/s", "he": "HE-AAC v2 32 kbit/s", "vorbis": "Ogg Vorbis",
         "opus": "Ogg Opus", "flac": "Ogg FLAC", "wav": "WAV"}
# Maximum anonymous memory in KiB: for the codecs of version 0.1, and for later codecs. Since a zap drops a card's queue,
# 128 KiB have the audio that the queue contains, for the fade.
MOST_MEMORY, MOST_OF_LATER = 10_752, 12_288
MPG123 = "MP3 by libmpg123"
WARM = 20  # seconds of play before the measurement
WINDOW = 10  # seconds; ratios are medians over windows
STARTS = 5


class Bench:
    """The stations, and a new pair of players on request."""

    def __init__(self, run, binary, seconds):
        self.run, self.binary, self.seconds = run, stripped(binary, run), seconds
        self.numbers = itertools.count()
        self.playing = []
        write_asoundrc(run)
        self.icecast = Icecast(run, tls=True)
        self.codecs = ["mp3", "aac"]
        self.icecast.feed("mp3", DEMO / "bakelite-demo.mp3", "audio/mpeg")
        self.icecast.feed("aac", DEMO / "bakelite-demo.aac", "audio/aac")
        if shutil.which("fdkaac") and shutil.which("ffmpeg"):
            self.codecs.append("he")
            self.icecast.feed("he", self.he_aac(), "audio/aacp")
        else:
            print("figures: fdkaac or ffmpeg is not installed: HE-AAC v2 is skipped", file=sys.stderr)
        self.station_port = free_port()
        self.station = subprocess.Popen(
            [self.binary, "station", DEMO, "--port", str(self.station_port)], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        wait_for("the station", lambda: answers(self.station_port))
        time.sleep(6)  # Icecast's mounts need a burst

    def he_aac(self):
        wav, out = self.run / "demo.wav", self.run / "demo-he.aac"
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", DEMO / "bakelite-demo.mp3", wav], check=True)
        subprocess.run(["fdkaac", "-S", "-p", "29", "-b", "32k", "-f", "2", "-o", out, wav], check=True)
        return out

    def player(self, name, on_card=True, **more):
        """Returns a prepared player with its own card, or on its null output."""
        folder = self.run / f"{name}-{next(self.numbers)}"
        card = Card(folder.with_suffix(".fifo")) if on_card else None
        player = Bakelite(self.binary, folder, card, **more) if name == "bakelite" else MPD(folder, card, **more)
        self.playing.append(player)
        player.ready()
        return player

    def pair(self, **more):
        return [self.player(name, **more) for name in ("bakelite", "mpd")]

    def end(self, players):
        for player in players:
            player.end()
            if player.card:
                player.card.end()
            self.playing.remove(player)

    def close(self):
        self.end(list(self.playing))
        self.station.kill()
        self.icecast.end()


def instructions(bench, codec, mp3=None):
    """Counts user-mode instructions of the whole process with cachegrind. Each player has two parallel runs, one
    `seconds` longer than the other. The third player is Bakelite with defaults, which steers because its buffer is far
    from the target. `mp3`: Bakelite's MP3 decoder.

    -> per minute of audio between the runs, and up to the end of the shorter run, start included
    """
    short, long = (
        [bench.player("bakelite", prefix=GRIND, mp3=mp3), bench.player("mpd", prefix=GRIND),
         bench.player("bakelite", prefix=GRIND, mp3=mp3, drift=None)] for _ in range(2))
    for player in short + long:
        player.play(bench.icecast.url(codec))
    counts = {}
    for players, seconds in ((short, WARM + 5), (long, bench.seconds)):
        time.sleep(seconds)
        for player in players:
            sound = player.card.seconds()
            player.end()
            if player.card.dry.value:
                print(f"figures: underrun of a card under valgrind: {player.card.name}", file=sys.stderr)
            found = re.findall(r"I +refs: +([\d,]+)", player.log())
            if not found:
                raise SystemExit(f"figures: valgrind counted nothing: {player.log()[-400:]}")
            counts[player] = int(found[-1].replace(",", "")) / 1e6, sound
        bench.end(players)
    steady, first = [], []
    for one, other in zip(short, long):
        (a, heard_a), (b, heard_b) = counts[one], counts[other]
        steady.append((b - a) / (heard_b - heard_a) * 60)
        first.append(a)
    return steady, first


def costs(bench, codec):
    """Measures CPU time and wake-ups of all four in parallel. -> {output: ((CPU, CPU), ratio, (wakes, wakes), threads,
    dry)}"""
    pairs = {"card": bench.pair(), "null": bench.pair(on_card=False)}
    players = [p for pair in pairs.values() for p in pair]
    for player in players:
        player.play(bench.icecast.url(codec))
    time.sleep(WARM)
    marks = [{p: gauge.Snapshot(p.pid) for p in players}]
    for _ in range(max(1, round(bench.seconds / WINDOW))):
        time.sleep(WINDOW)
        marks.append({p: gauge.Snapshot(p.pid) for p in players})
    found = {}
    for output, pair in pairs.items():
        windows = [[b[p].since(a[p])[0] for p in pair] for a, b in zip(marks, marks[1:])]
        whole = [marks[-1][p].since(marks[0][p]) for p in pair]
        for cost in whole:
            print(f"figures: {output}: {cost[2]}", file=sys.stderr)
        found[output] = dict(
            cpu=[statistics.median(w[i] for w in windows) for i in (0, 1)],
            ratio=statistics.median(w[0] / w[1] for w in windows), wakes=[w[1] for w in whole],
            threads=[gauge.threads(p.pid) for p in pair], dry=[p.card.dry.value if p.card else 0 for p in pair])
    bench.end(players)
    return found


def memory(bench):
    """Measures the maximum anonymous memory in 30 s over HTTPS. -> {codec: (KiB, KiB)}"""
    urls = {codec: bench.icecast.tls_url(codec) for codec in bench.codecs}
    # MPD cannot play the second link of a FLAC chain.
    programme = Programme(bench.run / "pieces", 90, length=91)
    for codec in CODECS:
        programme.encode(codec)
        bench.icecast.feeders.append(programme.feed(bench.icecast.port, codec, codec))
        urls[codec] = bench.icecast.tls_url(codec)
    with wave.open(str(programme.wav(0)), "rb") as file:
        station = WavStation(file.readframes(file.getnframes()), bench.run / "both.pem")
    urls["wav"] = station.url
    time.sleep(6)
    pairs = {codec: bench.pair(trusts=bench.icecast.certificate) for codec in urls}
    for codec, pair in pairs.items():
        for player in pair:
            player.play(urls[codec])
    most = {codec: [0, 0] for codec in pairs}
    for _ in range(12):
        time.sleep(2.5)
        for codec, pair in pairs.items():
            most[codec] = [max(m, gauge.rss_anon(p.pid)) for m, p in zip(most[codec], pair)]
    for codec, pair in pairs.items():
        if not all(p.card.seconds() > 20 for p in pair):
            raise SystemExit(f"figures: no sound over HTTPS: {codec}: {[p.log()[-300:] for p in pair]}")
        bench.end(pair)
    station.end()
    return most


def first_sound(bench, url):
    """Measures the seconds from the command to the first audio at the card, median and range. Bakelite starts as a
    process; MPD already runs and receives a command."""
    found = [], []
    for _ in range(STARTS):
        for times, name in zip(found, ("bakelite", "mpd")):
            player = bench.player(name)
            began = time.monotonic()
            player.play(url)
            try:
                wait_for("sound", lambda: player.card.loud.value)
            except SystemExit as error:
                raise SystemExit(f"{error} of {name} from {url}: {player.log()[-600:]}") from None
            times.append(player.card.loud.value - began)
            bench.end([player])
    return found


def version(*command):
    try:
        out = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    except OSError:
        return "?"
    return next(iter(out.splitlines()), "?").strip()


def package(name):
    return version("dpkg-query", "-W", "-f", "${Version}", name)


def machine():
    model = pathlib.Path("/proc/device-tree/model")
    cpu = re.search(r"^model name\s*:\s*(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    name = model.read_text().strip("\0\n ") if model.exists() else cpu[1] if cpu else platform.machine()
    cores = len(re.findall(r"^processor\s*:", pathlib.Path("/proc/cpuinfo").read_text(), re.M))
    system = re.search(r'^PRETTY_NAME="?([^"\n]*)', pathlib.Path("/etc/os-release").read_text(), re.M)
    with open("/proc/loadavg") as file:
        load = file.read().split()[0]
    return (f"{name}, {cores} cores, Linux {platform.release()}, {system[1] if system else '?'}; "
            f"MPD {package('mpd')}, libmad {package('libmad0')}, libmpg123 {package('libmpg123-0')}, "
            f"libfaad {package('libfaad2')}, libcurl {package('libcurl4')}, Icecast {package('icecast2')}, "
            f"valgrind {package('valgrind')}; load {load} when it began.")


class Table:
    """Rows of Markdown, and the missed goals."""

    def __init__(self):
        self.rows, self.missed = [], []

    def add(self, what, ours, theirs, ratio="", goal=None, value=None, is_wish=False):
        told = ""
        if goal is not None:
            is_met = value <= goal
            told = f"≤ {goal:,}" + ("" if is_met else " (missed)")
            if not is_met and not is_wish:
                self.missed.append(what)
        self.rows.append(f"| {what} | {ours} | {theirs} | {ratio} | {told} |")

    def show(self):
        print("| | Bakelite | MPD | ratio | goal |\n|---|---:|---:|---:|---|")
        print("\n".join(self.rows))


def fill(table, bench):
    counts, measured = {}, {}
    for codec in ("mp3", "aac"):
        print(f"figures: instructions, {NAMES[codec]}", file=sys.stderr)
        counts[codec] = instructions(bench, codec)
    print(f"figures: instructions, {MPG123}", file=sys.stderr)
    counts["mpg123"] = instructions(bench, "mp3", mp3="mpg123")
    for codec in ("mp3", "aac"):
        print(f"figures: CPU time and wake-ups, {NAMES[codec]}", file=sys.stderr)
        measured[codec] = costs(bench, codec)
    print("figures: memory", file=sys.stderr)
    kib = memory(bench)
    print("figures: first sound", file=sys.stderr)
    starts = {"Icecast": first_sound(bench, bench.icecast.url("mp3")),
              "a station that answers at once": first_sound(
                  bench, f"http://127.0.0.1:{bench.station_port}/bakelite-demo.mp3")}

    for codec, goal, usual_goal in (("mp3", 1.0, 0.97), ("mpg123", 0.35, 0.40), ("aac", 1.05, 1.05)):
        (ours, theirs, usual), (first, their_first, _) = counts[codec]
        name = NAMES.get(codec, MPG123)
        table.add(f"M instructions a minute, {name}", f"{ours:,.0f}", f"{theirs:,.0f}", f"{ours / theirs:.2f}",
                  goal, ours / theirs)
        table.add(f"M instructions of the first {WARM + 5} s, {name}", f"{first:,.0f}", f"{their_first:,.0f}",
                  f"{first / their_first:.2f}")
        table.add(f"M instructions a minute by default, {name}", f"{usual:,.0f}", f"{theirs:,.0f}",
                  f"{usual / theirs:.2f}", usual_goal, usual / theirs)
    for output in ("card", "null"):
        for codec in ("mp3", "aac"):
            cost = measured[codec][output]
            table.add(f"CPU seconds a minute, {NAMES[codec]}, {output}", f"{cost['cpu'][0]:.3f}",
                      f"{cost['cpu'][1]:.3f}", f"{cost['ratio']:.2f}", 0.7, cost["ratio"], is_wish=True)
            if any(cost["dry"]):
                print(f"figures: underruns of the cards (Bakelite, MPD): {cost['dry']}", file=sys.stderr)
    for output, goal in (("card", 75), ("null", 30)):
        for codec in ("mp3", "aac"):
            ours, theirs = measured[codec][output]["wakes"]
            table.add(f"wake-ups a second, {NAMES[codec]}, {output}", f"{ours:.0f}", f"{theirs:.0f}",
                      f"{ours / theirs:.2f}", goal, ours)
    for codec, (ours, theirs) in kib.items():
        most = MOST_OF_LATER if codec == "wav" or codec in CODECS else MOST_MEMORY
        table.add(f"RssAnon over HTTPS in KiB, {NAMES[codec]}", f"{ours:,}", f"{theirs:,}", f"{ours / theirs:.2f}", most,
                  ours)
    table.add("threads", *measured["mp3"]["card"]["threads"])
    for station, (ours, theirs) in starts.items():
        told = [f"{statistics.median(s) * 1000:.0f} ({min(s) * 1000:.0f} to {max(s) * 1000:.0f})" for s in (ours, theirs)]
        table.add(f"ms to the first sound, {station}", *told)


def main():
    missing = sorted({package for program, package in PACKAGES.items() if not shutil.which(program)})
    if missing:
        sys.exit("figures: needs Debian's packages: " + " ".join(missing))
    binary, seconds = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
    about, table = machine(), Table()
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        bench = Bench(pathlib.Path(folder), binary, seconds)
        try:
            fill(table, bench)
        finally:
            bench.close()
    print(f"\n{version(binary, '--version')} on {about}\n")
    table.show()
    for what in table.missed:
        print(f"figures: missed: {what}", file=sys.stderr)
    sys.exit(1 if table.missed else 0)


main()
