#!/usr/bin/env python3
"""Measures files from a real nginx: time to the first sample, memory, bytes per second, and server crashes.

files.py BAKELITE [MEGABYTES]     MEGABYTES: size of the long file. Default: 300.
"""
import hashlib
import json
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import gauge
from icecast import frames, free_port
from nginx import Nginx, wait_seconds

DEMO = pathlib.Path(__file__).resolve().parents[3] / "config/demo"
RATE = 16000  # bytes a second, 128 kbit/s
KILLS = 20
MOST_LATENCY = 150  # ms
MOST_OFF = 0.05
MOST_MEMORY = 512  # KiB beyond a live stream's


class Table:
    """Rows of measurements, and the overall result."""

    def __init__(self):
        self.is_good = True

    def row(self, name, figure, wanted, is_good):
        self.is_good &= is_good
        print(f"{'ok  ' if is_good else 'FAIL'}  {name:52}  {figure:>28}  {wanted}", flush=True)


def play(binary, folder, url, *options, **popen):
    """-> a process, and the file with its events"""
    events = folder / f"events-{random.getrandbits(48):x}.jsonl"
    process = subprocess.Popen(
        [binary, "play", "--drift", "off", "--events", events, *options, url], stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, **popen)
    return process, events


def told(events, name):
    return [event for event in map(json.loads, open(events)) if event["event"] == name]


def first_sound(binary, folder, url, start, table):
    """Starts far into the file and measures the time from the command to the first sample at the sink."""
    whole, engine = [], []
    for _ in range(5):
        began = time.monotonic()
        process, events = play(
            binary, folder, url, "--start", str(start), "--output", "raw:-", "--duration", "1", stdout=subprocess.PIPE)
        first = process.stdout.read(4)
        whole.append((time.monotonic() - began) * 1000 if len(first) == 4 else float("inf"))
        process.stdout.read()
        process.wait()
        engine += [event["latency"] * 1000 for event in told(events, "playing")[:1]]
        seeks = told(events, "seekDone")
        if not seeks or abs(seeks[0]["position"] - start) > 0.03:
            table.row("start", f"{seeks}", f"at {start} s", False)
    median = statistics.median(whole)
    table.row("first sample at 90 %, with process start, median of 5", f"{median:.0f} ms",
              f"<= {MOST_LATENCY} ms", median <= MOST_LATENCY)
    print(f"      from {min(whole):.0f} to {max(whole):.0f} ms; "
          f"{statistics.median(engine):.0f} ms without the process start")


def memory(binary, folder, file_url, table):
    """Measures the maximum memory with a live stream and with the file, in parallel for 30 s."""
    port = free_port()
    station = subprocess.Popen(
        [binary, "station", DEMO / "bakelite-demo.mp3", "--port", str(port)], stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    time.sleep(1)
    processes = [play(binary, folder, url, "--output", "null", "--duration", "35")[0]
                 for url in (f"http://127.0.0.1:{port}/bakelite-demo.mp3", file_url)]
    most, is_whole = [0, 0], True
    try:
        for _ in range(60):
            for index, process in enumerate(processes):
                if process.poll() is None:
                    most[index] = max(most[index], gauge.rss_anon(process.pid))
            time.sleep(0.5)
        is_whole = all(process.poll() is None for process in processes)
    finally:
        for process in [station, *processes]:
            process.kill()
            process.wait()
    table.row("RssAnon, maximum in 30 s, file and live stream", f"{most[1]} and {most[0]} KiB",
              f"<= {MOST_MEMORY} KiB more", is_whole and most[1] <= most[0] + MOST_MEMORY)


def pace(binary, folder, server, name, table):
    """Plays twice in parallel, once for a minute longer: the difference of nginx's sent bytes is the rate."""
    known = len(server.finished())
    for process, _ in [play(binary, folder, server.url(name), "--output", "null", "--start", "1000", "--duration", seconds)
                       for seconds in ("10", "70")]:
        process.wait()
    time.sleep(0.5)
    # Excludes the requests for the head and the tail of the file, and requests ended before.
    sizes = sorted(size for asked, size in server.finished()[known:] if asked != "-" and size > 8192)
    rate = (sizes[-1] - sizes[0]) / 60 if len(sizes) == 2 else 0
    table.row("bytes per second in steady playback", f"{rate:.0f}, {(rate / RATE - 1) * 100:+.1f} %",
              f"{RATE} ± {MOST_OFF * 100:.0f} %", abs(rate / RATE - 1) <= MOST_OFF)
    ahead = sizes[0] - 10 * RATE if sizes else 0
    print(f"      nginx sent {ahead / 1024:.0f} KiB more in 10 s than the radio played")


def pcm_of(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest(), path.stat().st_size


def crashes(binary, folder, root, table):
    """Kills the server repeatedly and compares with an undisturbed play."""
    name = "short.mp3"
    server = Nginx(folder / "crashing", root, limit="250k", told=True)
    sound = folder / "broken.pcm"
    process, events = play(
        binary, folder, server.url(name), "--output", f"raw:{sound}", "--pace", "free", stdout=subprocess.DEVNULL)
    randomness, kills = random.Random(7), 0
    for _ in range(KILLS):
        if not wait_seconds(randomness.uniform(0.9, 1.6), process):
            break
        server.kill()
        kills += 1
        if not wait_seconds(randomness.uniform(0, 0.6), process):
            break
        asked = len(server.sent())
        server.start()
        while process.poll() is None and len(server.sent()) == asked:
            time.sleep(0.05)
    try:
        code = process.wait(120)
    finally:
        process.kill()
        server.end()
    whole = folder / "whole.pcm"
    play(binary, folder, str(root / name), "--output", f"raw:{whole}", "--pace", "free")[0].wait()
    broken, unbroken = pcm_of(sound), pcm_of(whole)
    lost = len(told(events, "reconnecting"))
    table.row(f"PCM after {kills} kills and {lost} retries", f"{broken[1]} of {unbroken[1]}",
              "the same as without kills", broken == unbroken and code == 0 and kills == KILLS and unbroken[1] > 0)
    parts = sorted(server.sent())
    again = sum(max(0, end - start) for (_, end), (start, _) in zip(parts, parts[1:]))
    size = (root / name).stat().st_size
    table.row("bytes that were fetched again", f"{again} in {len(parts)} responses", "0",
              again == 0 and len(parts) >= kills + 1 and parts[-1][1] == size)
    complete = told(events, "fileComplete")
    table.row("fileComplete", f"{len(complete)}", "once", len(complete) == 1)


def main():
    binary, megabytes = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 300
    if not shutil.which("nginx"):
        print("files: skipped: nginx is not installed; Debian's package is nginx-light")
        return
    table = Table()
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        folder = pathlib.Path(name)
        root = folder / "root"
        root.mkdir()
        parts = [frame for frame, _ in frames((DEMO / "bakelite-demo.mp3").read_bytes())]
        loop = b"".join(parts)
        with open(root / "long.mp3", "wb") as file:
            for _ in range(-(-megabytes * 1_000_000 // len(loop))):
                file.write(loop)
        (root / "short.mp3").write_bytes(loop * 10)
        size = (root / "long.mp3").stat().st_size
        server = Nginx(folder / "nginx", root)
        try:
            print(f"{size / 1e6:.0f} MB, {size / RATE / 3600:.1f} hours of 128 kbit/s")
            first_sound(binary, folder, server.url("long.mp3"), int(size / RATE * 0.9), table)
            memory(binary, folder, server.url("long.mp3"), table)
            pace(binary, folder, server, "long.mp3", table)
        finally:
            server.end()
        crashes(binary, folder, root, table)
    sys.exit(0 if table.is_good else 1)


main()
