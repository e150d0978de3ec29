#!/usr/bin/env python3
"""Plays five mounts of a real Icecast through ALSA in parallel for minutes, and counts audible faults.

soak.py BAKELITE [SECONDS]
"""
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from card import Card, write_asoundrc
from icecast import PASSWORD, Icecast

ROOT = pathlib.Path(__file__).resolve().parents[3]
TITLE_EVERY = 15.0

# mount: content type, ffmpeg's format, command that encodes {wav} to {out}
MOUNTS = {
    "mp3-cbr": ("audio/mpeg", "mp3", ["lame", "--quiet", "-t", "-b", "128", "--cbr", "{wav}", "{out}"]),
    "mp3-vbr": ("audio/mpeg", "mp3", ["lame", "--quiet", "-t", "-V2", "{wav}", "{out}"]),
    "aac-lc": ("audio/aac", "adts", ["ffmpeg", "-v", "error", "-y", "-i", "{wav}", "-c:a", "aac", "-b:a", "128k",
                                     "-f", "adts", "{out}"]),
    "he-aac-v1": ("audio/aacp", "adts", ["fdkaac", "-S", "-p", "5", "-b", "64k", "-f", "2", "-o", "{out}", "{wav}"]),
    "he-aac-v2": ("audio/aacp", "adts", ["fdkaac", "-S", "-p", "29", "-b", "32k", "-f", "2", "-o", "{out}", "{wav}"]),
}


def materials(run):
    """-> mount: file; prints a message for each mount without an encoder"""
    wav = run / "demo.wav"
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", ROOT / "config/demo/bakelite-demo.mp3", wav], check=True)
    made = {}
    for name, (_, _, command) in MOUNTS.items():
        if not shutil.which(command[0]):
            print(f"soak: {command[0]} is not installed: the mount {name} is skipped")
            continue
        out = run / f"{name}.audio"
        subprocess.run([a.format(wav=wav, out=out) for a in command], check=True)
        made[name] = out
    return made


def judge(name, events, dry, loud, titles, seconds):
    """-> (row, faults)"""
    received = [e for e in events if e["event"] == "metadataReceived"]
    changed = [e for e in events if e["event"] == "metadataChanged"]
    summary = next((e for e in events if e["event"] == "summary"), {})
    playing = next((e for e in events if e["event"] == "playing"), {})
    behind = playing.get("behindLive") or 0
    wrong = []
    told = [e["title"] for e in changed if e["title"] in titles]
    if told != [t for t in titles if t in told] or len(told) < len(titles) - 2:
        wrong.append("reported titles: " + ", ".join(told))
    late = [c["t"] - r["t"] for c in changed for r in received if c["title"] == r["title"] and r["t"] > 10]
    # Playback starts before the whole burst has arrived, so that the position is at least as far behind as first
    # reported.
    if late and (max(late) - min(late) > 1.0 or min(late) < behind - 1.0):
        wrong.append(f"titles {min(late):.1f} to {max(late):.1f} s after their arrival; "
                     f"the audio is {behind:.1f} s behind live")
    if dry:
        wrong.append(f"{dry} underruns of the card")
    for key in ("underruns", "xruns", "reconnects"):
        if summary.get(key) != 0:
            wrong.append(f"{key} {summary.get(key)}")
    if not loud or summary.get("heard", 0) < seconds - 5:
        wrong.append(f"heard {summary.get('heard')} s")
    row = [name, f"{summary.get('heard', 0):.0f}", summary.get("underruns"), summary.get("xruns"), dry,
           f"{len(told)} of {len(titles)}", f"{behind:.1f}", f"{playing.get('latency', 0) * 1000:.0f}",
           summary.get("rssAnonPeak")]
    return row, wrong


def main():
    bakelite, seconds = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 600.0
    missing = [p for p in ("icecast2", "ffmpeg", "lame") if not shutil.which(p)]
    if missing:
        sys.exit("soak: needs Debian's packages " + " ".join(missing))
    started, faults = [], []
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        run = pathlib.Path(folder)
        files = materials(run)
        write_asoundrc(run)
        icecast = Icecast(run)
        started.append(icecast.process)
        try:
            for name, file in files.items():
                kind, form, _ = MOUNTS[name]
                started.append(subprocess.Popen(
                    ["ffmpeg", "-v", "error", "-nostdin", "-re", "-stream_loop", "-1", "-f", "aac" if form == "adts" else form,
                     "-i", file, "-c", "copy", "-content_type", kind, "-f", form,
                     f"icecast://source:{PASSWORD}@127.0.0.1:{icecast.port}/{name}"], stderr=subprocess.DEVNULL))
            time.sleep(6)  # the mounts need a burst
            players = {}
            for name in files:
                card = Card(run / f"{name}.fifo")
                players[name] = card, subprocess.Popen(
                    [bakelite, "play", "--output", "alsa:dac", "--events", run / f"{name}.jsonl",
                     icecast.url(name)], env=card.environment(), stderr=subprocess.DEVNULL)
                started.append(players[name][1])
            titles, until, next_title = [], time.time() + seconds, time.time() + 12
            while time.time() < until:
                if time.time() >= next_title and until - time.time() > 10:
                    titles.append(f"Soak {len(titles) + 1} - Ünter Wässer")
                    for name in files:
                        icecast.set_title(name, titles[-1])
                    next_title += TITLE_EVERY
                time.sleep(0.2)
            rows = []
            for name, (card, player) in players.items():
                dry = card.dry.value
                player.send_signal(signal.SIGINT)
                player.wait(10)
                card.end()
                events = [json.loads(line) for line in open(run / f"{name}.jsonl")]
                row, wrong = judge(name, events, dry, card.loud.value, titles, seconds)
                rows.append(row)
                faults += [f"{name}: {w}" for w in wrong]
        finally:
            for process in reversed(started):
                if process.poll() is None:
                    process.terminate()
            for process in started:
                try:
                    process.wait(5)
                except subprocess.TimeoutExpired:
                    process.kill()
    head = ["mount", "heard s", "underruns", "xruns", "card underruns", "titles", "behind s", "first sound ms",
            "RssAnon KiB"]
    for line in [head, *rows]:
        print("  ".join(str(cell).rjust(max(10, len(name))) for cell, name in zip(line, head)))
    for fault in faults:
        print("soak: " + fault)
    sys.exit(1 if faults else 0)


main()
