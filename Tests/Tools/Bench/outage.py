#!/usr/bin/env python3
"""Interrupts the connections of Bakelite and MPD, and records the audible second of the programme at each player.

A real Icecast sends a programme with a different chord in each tenth of a second. A proxy closes the connections for
some seconds, or forwards no data. Both players play in parallel, each to its own card.
Usage: outage.py BAKELITE [FILE]. FILE: receives the measured values, for Tests/Tools/Pictures/draw.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from card import write_asoundrc
from chords import HearingCard, write_programme
from icecast import Icecast
from players import MPD, Bakelite
from proxy import Proxy

# The failures 20 s after both started to play, and their durations.
CASES = [("cut", 3), ("stall", 10)]
START, LENGTH, PROGRAMME = 20, 60, 100


def sleep_until(moment):
    time.sleep(max(0, moment - time.monotonic()))


def play(run, binary, mp3, case, seconds):
    """-> player's name: the audible second of the programme for each 0.1 s"""
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
        time.sleep(6)  # the server needs a burst
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
        return {name: player.card.places(began, LENGTH) for name, player in zip(("bakelite", "mpd"), started)}
    finally:
        for player in started:
            player.end()
            player.card.end()
        icecast.end()


def judge(places):
    """-> (seconds of silence since the failure, seconds behind the expected position, or None)"""
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
        write_programme(run / "programme.wav", PROGRAMME)
        mp3 = run / "programme.mp3"
        subprocess.run(["lame", "--quiet", "-b", "128", "--cbr", run / "programme.wav", mp3], check=True)
        for case, seconds in CASES:
            heard = play(run / case, binary, mp3, case, seconds)
            for name, places in heard.items():
                silence, behind = judge(places)
                print(f"{case} of {seconds} s: {name}: {silence:.1f} s of silence in {LENGTH - START} s, "
                      + ("silent at the end" if behind is None else f"{behind:.1f} s later than without the failure"))
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
