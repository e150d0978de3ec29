#!/usr/bin/env python3
"""Measures what a cold start reads from the disk, for Bakelite, MPD and mpg123, and prints a table in Markdown.

start.py BAKELITE     as root, because the kernel's page cache is emptied before each start. A limit of the table fails.

Each player plays the same station by HTTP to its null output for some seconds. The kernel counts the bytes that the
process read from the disk and the page faults that waited for the disk (getrusage(2), ru_inblock and ru_majflt). A read
ahead of 128 KiB is set meanwhile, as on a Raspberry Pi's card; the former value returns at the end.
"""
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from icecast import answers, free_port, wait_for
from players import MPD, stripped

DEMO = pathlib.Path(__file__).resolve().parents[3] / "config/demo"
STARTS, SECONDS = 5, 4
READ_AHEAD = "128"
PACKAGES = {"mpd": "mpd", "mpg123": "mpg123", "strip": "binutils"}
# Maximum of Bakelite, in MB and in faults.
MOST_BYTES, MOST_FAULTS = 16.5, 220


def empty_cache():
    os.sync()
    pathlib.Path("/proc/sys/vm/drop_caches").write_text("3")


def usage_of(process):
    """Ends a player. -> (MB read, major faults)"""
    time.sleep(SECONDS)
    if process.poll() is not None:
        raise SystemExit(f"start: {process.args[0]} ended by itself")
    process.send_signal(signal.SIGTERM)
    usage = os.wait4(process.pid, 0)[2]
    process.returncode = 0
    return usage.ru_inblock * 512 / 1e6, usage.ru_majflt


def command(words):
    """-> (MB read, major faults)"""
    empty_cache()
    return usage_of(subprocess.Popen([str(w) for w in words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))


def mpd(folder, url):
    """-> (MB read, major faults)"""
    player = MPD(folder, None)
    empty_cache()
    player.ready()
    player.play(url)
    return usage_of(player.process)


def medians(samples):
    return [statistics.median(values) for values in zip(*samples)]


def measure(run, binary):
    """-> {player: (MB read, major faults)}"""
    port = free_port()
    station = subprocess.Popen([str(binary), "station", str(DEMO), "--port", str(port)], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    try:
        wait_for("the station", lambda: answers(port))
        url = f"http://127.0.0.1:{port}/bakelite-demo.mp3"
        # The station's own pages stay in memory, so the player is another file.
        own = stripped(binary, run)
        rows = {"Bakelite": [], "MPD": [], "mpg123": []}
        for turn in range(STARTS):
            rows["Bakelite"].append(command([own, "play", url, "--output", "null"]))
            rows["MPD"].append(mpd(run / f"mpd-{turn}", url))
            rows["mpg123"].append(command(["mpg123", "-q", "-o", "dummy", url]))
        return {name: medians(samples) for name, samples in rows.items()}
    finally:
        station.kill()
        station.wait()


def read_ahead_files(folder):
    device = os.stat(folder).st_dev
    name = f"/sys/dev/block/{os.major(device)}:{os.minor(device)}"
    return [place for place in (pathlib.Path(name, "queue/read_ahead_kb"),
                                pathlib.Path(name, "../queue/read_ahead_kb")) if place.exists()]


def main(binary):
    missing = sorted({package for tool, package in PACKAGES.items() if not shutil.which(tool)})
    if missing:
        raise SystemExit(f"start: not installed: {' '.join(missing)}")
    if os.geteuid() != 0:
        raise SystemExit("start: only root can empty the page cache; run the command as root")
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        places = read_ahead_files(folder)
        if not places:
            raise SystemExit("start: /var/tmp is on no disk, so nothing can be read from it")
        former = [place.read_text() for place in places]
        try:
            for place in places:
                place.write_text(READ_AHEAD)
            found = measure(pathlib.Path(folder), pathlib.Path(binary).resolve())
        finally:
            for place, text in zip(places, former):
                place.write_text(text)
    print(f"\n| cold start, median of {STARTS} | MB read | waits for the disk |\n|---|--:|--:|")
    for name, (size, faults) in found.items():
        print(f"| {name} | {size:.1f} | {faults:.0f} |")
    size, faults = found["Bakelite"]
    if size > MOST_BYTES or faults > MOST_FAULTS:
        raise SystemExit(f"start: above the limit of {MOST_BYTES} MB and {MOST_FAULTS} waits")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])
