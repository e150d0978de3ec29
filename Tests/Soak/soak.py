#!/usr/bin/env python3
"""Plays a real Icecast through ALSA for minutes, on five mounts at once, and counts what a listener would mind.

soak.py BAKELITE [SECONDS]
"""
import base64
import fcntl
import json
import multiprocessing
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PASSWORD = "soak"
TITLE_EVERY = 15.0

# mount: file name, content type, format of ffmpeg, command that makes it from {wav}
MOUNTS = {
    "mp3-cbr": ("audio/mpeg", "mp3", ["lame", "--quiet", "-t", "-b", "128", "--cbr", "{wav}", "{out}"]),
    "mp3-vbr": ("audio/mpeg", "mp3", ["lame", "--quiet", "-t", "-V2", "{wav}", "{out}"]),
    "aac-lc": ("audio/aac", "adts", ["ffmpeg", "-v", "error", "-y", "-i", "{wav}", "-c:a", "aac", "-b:a", "128k",
                                     "-f", "adts", "{out}"]),
    "he-aac-v1": ("audio/aacp", "adts", ["fdkaac", "-S", "-p", "5", "-b", "64k", "-f", "2", "-o", "{out}", "{wav}"]),
    "he-aac-v2": ("audio/aacp", "adts", ["fdkaac", "-S", "-p", "29", "-b", "32k", "-f", "2", "-o", "{out}", "{wav}"]),
}

ICECAST = """<icecast>
  <limits><sources>10</sources><clients>50</clients><burst-size>65536</burst-size><queue-size>524288</queue-size></limits>
  <authentication><source-password>{pw}</source-password><admin-user>admin</admin-user>
    <admin-password>{pw}</admin-password><relay-password>{pw}</relay-password></authentication>
  <hostname>localhost</hostname><listen-socket><port>{port}</port><bind-address>127.0.0.1</bind-address></listen-socket>
  <paths><logdir>{run}</logdir><webroot>{run}</webroot><adminroot>{run}</adminroot></paths>
  <logging><errorlog>error.log</errorlog><accesslog>access.log</accesslog></logging>
  <security><chroot>0</chroot>{owner}</security>
</icecast>
"""

ASOUNDRC = """pcm.dac { type plug slave { pcm "dacfile" format S16_LE rate 44100 channels 2 } }
pcm.dacfile { type file slave.pcm "null" format raw file { @func getenv vars [ DAC_FIFO ] default "/dev/null" } }
"""


class Card:
    """A sound card of 200 ms behind a FIFO: takes S16/44100/2 in real time and counts when it ran dry.

    It is a process of its own, under SCHED_FIFO where that is permitted: a card is never late itself.
    """

    RATE, BUFFER = 44100 * 4, 35280

    def __init__(self, fifo):
        os.mkfifo(fifo)
        self.name = pathlib.Path(fifo).stem
        self.fd = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
        fcntl.fcntl(self.fd, 1031, 4096)  # F_SETPIPE_SZ
        self.dry, self.loud = multiprocessing.Value("i", 0), multiprocessing.Value("i", 0)
        self.process = multiprocessing.Process(target=self.run, daemon=True)
        self.process.start()

    def run(self):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(20))
        except PermissionError:
            pass
        held = taken = 0
        began = first = None
        last = time.monotonic()
        while True:
            now = time.monotonic()
            if began and now - last > 0.02:
                began += now - last - 0.02  # this process came late, not the sound
            last = now
            try:
                block = os.read(self.fd, self.BUFFER - held) if held < self.BUFFER else b""
            except BlockingIOError:
                block = b""
            held += len(block)
            if not self.loud.value and any(block):
                self.loud.value = 1
            if began is None:
                if held >= self.BUFFER // 2:
                    began = now
                    first = first or now
            else:
                due = int((now - began) * self.RATE) - taken
                if due > held:
                    self.dry.value += 1
                    print(f"soak: {self.name} dry {now - first:.1f} s after its first sound", flush=True)
                    began, taken = None, 0
                else:
                    held -= due
                    taken += due
            if not block:
                time.sleep(0.005)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_for(what, test, seconds=30):
    until = time.time() + seconds
    while time.time() < until:
        if test():
            return
        time.sleep(0.05)
    sys.exit(f"soak: {what} did not come up")


def materials(run):
    """-> mount: file; mounts whose encoder is missing are left out aloud"""
    wav = run / "demo.wav"
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", ROOT / "config/demo/bakelite-demo.mp3", wav], check=True)
    made = {}
    for name, (_, _, command) in MOUNTS.items():
        if not shutil.which(command[0]):
            print(f"soak: no {command[0]}: the mount {name} is left out")
            continue
        out = run / f"{name}.audio"
        subprocess.run([a.format(wav=wav, out=out) for a in command], check=True)
        made[name] = out
    return made


def icecast(run, port):
    owner = ""
    if os.geteuid() == 0:
        user = next((u for u in ("icecast2", "nobody") if u in {p.pw_name for p in pwd.getpwall()}), "nobody")
        group = "icecast" if user == "icecast2" else "nogroup"
        owner = f"<changeowner><user>{user}</user><group>{group}</group></changeowner>"
        os.chmod(run, 0o777)
    (run / "icecast.xml").write_text(ICECAST.format(pw=PASSWORD, port=port, run=run, owner=owner))
    return subprocess.Popen(["icecast2", "-c", run / "icecast.xml"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def answers(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


def set_title(port, mount, title):
    query = urllib.parse.urlencode(dict(mount="/" + mount, mode="updinfo", song=title, charset="UTF-8"))
    request = urllib.request.Request(f"http://127.0.0.1:{port}/admin/metadata?{query}")
    request.add_header("Authorization", "Basic " + base64.b64encode(f"admin:{PASSWORD}".encode()).decode())
    try:
        urllib.request.urlopen(request, timeout=5).read()
    except OSError as error:
        print(f"soak: the title of {mount} could not be set: {error}")


def judge(name, events, dry, loud, titles, seconds):
    """-> (row, what was wrong)"""
    received = [e for e in events if e["event"] == "metadataReceived"]
    changed = [e for e in events if e["event"] == "metadataChanged"]
    summary = next((e for e in events if e["event"] == "summary"), {})
    playing = next((e for e in events if e["event"] == "playing"), {})
    behind = playing.get("behindLive") or 0
    wrong = []
    told = [e["title"] for e in changed if e["title"] in titles]
    if told != [t for t in titles if t in told] or len(told) < len(titles) - 2:
        wrong.append("titles heard: " + ", ".join(told))
    late = [c["t"] - r["t"] for c in changed for r in received if c["title"] == r["title"] and r["t"] > 10]
    # The sound begins before all of the burst is there, so that it is at least as far behind as it said then.
    if late and (max(late) - min(late) > 1.0 or min(late) < behind - 1.0):
        wrong.append(f"titles {min(late):.1f} to {max(late):.1f} s after they came, the sound {behind:.1f} s")
    if dry:
        wrong.append(f"the card ran dry {dry} times")
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
        port = free_port()
        (run / ".asoundrc").write_text(ASOUNDRC)
        try:
            started.append(icecast(run, port))
            wait_for("Icecast", lambda: answers(port))
            for name, file in files.items():
                kind, form, _ = MOUNTS[name]
                started.append(subprocess.Popen(
                    ["ffmpeg", "-v", "error", "-nostdin", "-re", "-stream_loop", "-1", "-f", "aac" if form == "adts" else form,
                     "-i", file, "-c", "copy", "-content_type", kind, "-f", form,
                     f"icecast://source:{PASSWORD}@127.0.0.1:{port}/{name}"], stderr=subprocess.DEVNULL))
            time.sleep(6)  # the mounts gather a burst
            players = {}
            for name in files:
                card = Card(run / f"{name}.fifo")
                environment = dict(os.environ, HOME=str(run), DAC_FIFO=str(run / f"{name}.fifo"))
                players[name] = card, subprocess.Popen(
                    [bakelite, "play", "--output", "alsa:dac", "--events", run / f"{name}.jsonl",
                     f"http://127.0.0.1:{port}/{name}"], env=environment, stderr=subprocess.DEVNULL)
                started.append(players[name][1])
            titles, until, next_title = [], time.time() + seconds, time.time() + 12
            while time.time() < until:
                if time.time() >= next_title and until - time.time() > 10:
                    titles.append(f"Soak {len(titles) + 1} - Ünter Wässer")
                    for name in files:
                        set_title(port, name, titles[-1])
                    next_title += TITLE_EVERY
                time.sleep(0.2)
            rows = []
            for name, (card, player) in players.items():
                dry = card.dry.value
                player.send_signal(signal.SIGINT)
                player.wait(10)
                card.process.kill()
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
    head = ["mount", "heard s", "underruns", "xruns", "card dry", "titles", "behind s", "first sound ms", "RssAnon KiB"]
    for line in [head, *rows]:
        print("  ".join(str(cell).rjust(max(10, len(name))) for cell, name in zip(line, head)))
    for fault in faults:
        print("soak: " + fault)
    sys.exit(1 if faults else 0)


main()
