#!/usr/bin/env python3
"""Measures that the costs of the box grow no faster than its work: presets, clients, titles, and blocks of the ring.

growth.py BAKELITED BAKELITE [SECONDS]     SECONDS: duration of each measurement. Default: 20.

Each class has three sizes, measured at the same time. callgrind counts user-mode instructions of a box whose panel is in
a terminal: of the start until the sound, of the control thread a minute, and of the control thread per station change. A
second box without callgrind has the memory (RssAnon) and the wake-ups. The clients wait in `idle`, and read the title of
each second. A ring is filled by `bakelite play` as fast as possible: its costs are instructions of all threads per
minute of sound, and per seek.

A cost may grow with the work, but the last step of sizes may cost at most `STEEPER` times as much per unit as the step
before. All other costs stay the same. A change below the noise of a column is no growth.
"""
import array
import math
import pathlib
import re
import selectors
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

import gauge
from box import WARM, Box, Station, arguments, callgrind
from icecast import wait_for
from jobs import together
from players import GRIND, stripped

SIZES = {"presets": (10, 100, 1000), "clients": (1, 20, 200), "titles a second": (0, 5, 10),
         "blocks": (300, 1200, 12_000)}
# The unit, and the noise: the share of the smallest size's cost, and an amount. A full ring and a seek depend on the order
# of the threads.
COSTS = {"start": ("M", 0.10, 3), "control thread": ("M a minute", 0.15, 2), "station change": ("M", 0.15, 0.3),
         "memory": ("KiB", 0.0, 300), "wake-ups": ("a second", 0.10, 5),
         "filled ring": ("M a minute of sound", 0.10, 0), "seek": ("M", 0.15, 2)}
# The costs with work for each unit of a class.
WORK = {"presets": {"start", "memory"}, "clients": {"control thread", "station change", "memory", "wake-ups"},
        "titles a second": {"control thread", "station change", "wake-ups"}, "blocks": {"memory", "start"}}
STEEPER = 1.3
CHANGES = 6
SEEKS = 10
SETTLING = 1.5  # seconds until a change is over
RATE = 44_100 * 4  # bytes a second of the station that fills a ring


class Crowd:
    """Clients that wait for events. After each event they ask for the title."""

    def __init__(self, path, count):
        self.selector, self.answers = selectors.DefaultSelector(), 0
        for _ in range(count):
            wire = socket.socket(socket.AF_UNIX)
            wire.connect(str(path))
            wire.recv(4096)
            wire.sendall(b"idle player\n")
            self.selector.register(wire, selectors.EVENT_READ)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            for key, _ in self.selector.select():
                try:
                    data = key.fileobj.recv(65536)
                except ConnectionResetError:
                    data = b""
                if not data:
                    self.selector.unregister(key.fileobj)
                elif b"changed:" in data:
                    self.answers += 1
                    key.fileobj.sendall(b"currentsong\nidle player\n")


class Case:
    """A class at one size."""

    def __init__(self, name, size, programs, seconds):
        self.name, self.size, (self.box, self.play), self.seconds = name, size, programs, seconds

    def count(self, kind, other=0):
        return self.size if self.name == kind else other

    def start(self, folder, tool):
        titles = self.count("titles a second", 1 if self.name == "clients" else 0)
        self.station = Station("Ann - Song", titles)
        presets = [Preset(self.station, number) for number in range(self.count("presets", 10))]
        box = Box(stripped(self.box, folder), folder, presets, tool,
                  f"[buffer]\nblocks = {self.count('blocks', 1200)}\n")
        return box

    def counted(self):
        """-> costs in million instructions"""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            box = self.start(folder, callgrind(folder))
            start, crowd = box.spent("start")[1], Crowd(box.socket, self.count("clients"))
            time.sleep(WARM)
            box.order("--zero")
            begin, events = time.monotonic(), crowd.answers
            time.sleep(self.seconds)
            minute = box.spent("minute")[0] / (time.monotonic() - begin) * 60
            if crowd.answers - events < self.count("clients") * self.seconds * 0.7:
                sys.exit(f"growth: {self.size} clients had only {crowd.answers - events} events")
            box.order("--zero")
            begin = time.monotonic()
            for _ in range(CHANGES):
                connections = self.station.connections
                box.ask("next")
                wait_for("the next station", lambda: self.station.connections > connections)
                time.sleep(SETTLING)
            lasted = time.monotonic() - begin
            change = (box.spent("changes")[0] - minute / 60 * lasted) / CHANGES
            box.end()
        return {"start": start, "control thread": minute, "station change": change}

    def watched(self):
        """-> memory in KiB, and wake-ups a second"""
        with tempfile.TemporaryDirectory() as folder:
            box = self.start(pathlib.Path(folder), [])
            Crowd(box.socket, self.count("clients"))
            time.sleep(WARM)
            mark = gauge.Snapshot(box.process.pid)
            time.sleep(self.seconds)
            wakes = gauge.Snapshot(box.process.pid).since(mark)[1]
            memory = gauge.rss_anon(box.process.pid)
            box.end()
        return {"memory": memory, "wake-ups": wakes}

    def filled(self):
        """-> costs of a full ring in million instructions"""
        url = loud_station()
        full = self.size * 5_120 / RATE
        short, long = full + 20, full + 80
        counts = [self.cachegrind(url, seconds) for seconds in (short, long)]
        with tempfile.TemporaryDirectory() as folder:
            return {"filled ring": counts[1] - counts[0], "seek": self.seeks(pathlib.Path(folder), url, full)}

    def cachegrind(self, url, seconds):
        with tempfile.TemporaryDirectory() as folder:
            program = stripped(self.play, pathlib.Path(folder))
            run = subprocess.run([*GRIND, program, *self.options(), "--duration", str(seconds), url],
                                 stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        return int(re.findall(r"I +refs: +([\d,]+)", run.stderr)[-1].replace(",", "")) / 1e6

    def options(self):
        return ["play", "--pace", "free", "--drift", "off", "--output", "null", "--buffer-blocks", str(self.size)]

    def seeks(self, folder, url, full):
        """-> million instructions of all threads for a seek in a paused, full ring"""
        path = folder / "control"
        process = subprocess.Popen(
            [*callgrind(folder), stripped(self.play, folder), *self.options(), "--control", path, url],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        box = Running(process, folder)
        wait_for("the control socket", path.exists, 60)
        wait_for("a full ring", lambda: box.elapsed() > full + 5, 300)
        box.ask("pause 1")
        time.sleep(SETTLING)
        box.order("--zero")
        for number in range(SEEKS):
            box.ask(f"seekcur {'-' if number % 2 == 0 else '+'}{full * 0.6:.1f}")
            time.sleep(0.3)
        cost = box.spent("seeks")[1] / SEEKS
        box.end()
        return cost


class Running(Box):
    """A radio without a panel."""

    def __init__(self, process, folder):
        self.process, self.folder, self.socket = process, folder, folder / "control"

    def elapsed(self):
        found = re.search(r"^position: ([\d.]+)", self.ask("radio_status"), re.M)
        return float(found[1]) if found else 0


class Preset:
    """A further address of a station."""

    def __init__(self, station, number):
        self.url = f"{station.url}{number}"


def loud_station():
    """Starts a station that sends WAV as fast as it is read. -> its address"""
    listener = socket.create_server(("127.0.0.1", 0))
    second = array.array("h", [int(3000 * math.sin(at / 20)) for at in range(44_100) for _ in (0, 1)]).tobytes()
    form = struct.pack("<IHHIIHH", 16, 1, 2, 44_100, RATE, 4, 16)
    head = b"RIFF" + b"\xff" * 4 + b"WAVEfmt " + form + b"data" + b"\xff" * 4

    def serve(client):
        try:
            client.recv(4096)
            client.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: audio/wav\r\n\r\n" + head)
            while True:
                client.sendall(second)
        except OSError:
            client.close()

    def accept():
        while True:
            threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return f"http://127.0.0.1:{listener.getsockname()[1]}/live.wav"


def measure(name, programs, seconds):
    """-> cost: its values by size"""
    cases = [Case(name, size, programs, seconds) for size in SIZES[name]]
    rounds = [[case.counted for case in cases], [case.watched for case in cases]]
    rounds += [[case.filled for case in cases]] if name == "blocks" else []
    found = {}
    for jobs in rounds:
        for values in together(jobs):
            for cost, value in values.items():
                found.setdefault(cost, []).append(value)
    return found


def verdict(name, cost, values):
    """-> the column of the table, and true if the cost grows too fast"""
    sizes, (_, share, amount) = SIZES[name], COSTS[cost]
    noise = values[0] * share + amount
    first, last = ((values[at + 1] - values[at]) / (sizes[at + 1] - sizes[at]) for at in (0, 1))
    if cost in WORK[name]:
        is_fast = values[2] - values[1] > max(0, first) * STEEPER * (sizes[2] - sizes[1]) + noise
        unit = f"{last:,.3f}" if abs(last) < 10 else f"{last:,.0f}"
        return f"{unit} each", is_fast
    return "the same", values[2] - values[0] > noise


def main():
    play = pathlib.Path(sys.argv.pop(2)).resolve()
    program, seconds = arguments(20)
    print("| cost | unit | | | | grows |\n|---|---|--:|--:|--:|---|")
    fast = []
    for name, sizes in SIZES.items():
        print(f"| **{name}** | | " + " | ".join(f"**{size:,}**" for size in sizes) + " | |", flush=True)
        for cost, values in measure(name, (program, play), seconds).items():
            told, is_fast = verdict(name, cost, values)
            fast += [f"{cost} by {name}"] if is_fast else []
            cells = " | ".join(f"{value:,.1f}" if value < 100 else f"{value:,.0f}" for value in values)
            print(f"| {cost} | {COSTS[cost][0]} | {cells} | {told}{' **(too fast)**' if is_fast else ''} |", flush=True)
    if fast:
        sys.exit(f"growth: faster than the work: {', '.join(fast)}")


if __name__ == "__main__":
    main()
