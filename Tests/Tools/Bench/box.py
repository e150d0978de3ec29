#!/usr/bin/env python3
"""Counts the instructions and allocations of the box's control thread, with its panel in a terminal, and its memory.

box.py BAKELITED [SECONDS]     SECONDS: duration of each measurement. Default: 60.

A station on loopback sends MP3 in real time. Its title is short, or scrolls on the display; the third run shows the
spectrum. callgrind counts user-mode instructions of each thread, after ten seconds of play. The memory is RssAnon of the
box without callgrind. A figure above its limit is an error.
"""
import os
import pathlib
import pty
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from icecast import wait_for
from players import stripped

ROOT = pathlib.Path(__file__).resolve().parents[3]
SOUND = ROOT / "config/demo/bakelite-demo.mp3"
RATE = 16_000  # bytes a second
METAINT = 8_000
WARM = 10  # seconds of play before the measurement
LONG = "A title that is longer than the display - it scrolls through its row and comes back"
STILL = "Ann - Song"
# Title, true for the spectrum, and the limits: million instructions a minute, allocations a second.
CASES = {"still": (STILL, False, 15, 30), "scrolling": (LONG, False, 35, 120), "spectrum": (STILL, True, 215, 300)}
MAX_MEMORY = 9_850  # KiB


class Station:
    """Sends the demo piece to each listener in real time, with a title in each twentieth block of metadata, or with
    `titles` new titles a second. `context`: for HTTPS."""

    def __init__(self, title, titles=0, context=None):
        self.title, self.titles, self.context = title, titles, context
        self.metaint = min(METAINT, RATE // titles) if titles else METAINT
        self.listeners = self.connections = 0
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http{'s' if context else ''}://127.0.0.1:{self.socket.getsockname()[1]}/"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.socket.accept()
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        sound, sent, begin = SOUND.read_bytes(), 0, time.monotonic()
        self.listeners += 1
        self.connections += 1
        try:
            client = self.context.wrap_socket(client, server_side=True) if self.context else client
            client.recv(4096)
            client.sendall(
                f"HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\nicy-metaint: {self.metaint}\r\n\r\n".encode())
            while True:
                at = sent % (len(sound) - self.metaint)
                client.sendall(sound[at:at + self.metaint] + self.block(sent // self.metaint))
                sent += self.metaint
                time.sleep(max(0, begin + sent / RATE - 4 - time.monotonic()))
        except OSError:
            client.close()
            self.listeners -= 1

    def block(self, number):
        """-> the block of metadata after this many intervals"""
        every = RATE // self.metaint // self.titles if self.titles else 20
        if number % every:
            return b"\0"
        text = f"StreamTitle='{self.title}{f' {number // every}' if self.titles else ''}';".encode()
        text += bytes(-len(text) % 16)
        return bytes([len(text) // 16]) + text


def callgrind(folder):
    return ["valgrind", "--tool=callgrind", "--separate-threads=yes", f"--callgrind-out-file={folder}/cost"]


class Box:
    """A box whose panel is in a pseudo-terminal. `tool`: the words before its program. `trusts`: a certificate."""

    def __init__(self, program, folder, stations, tool, settings="", trusts=None):
        self.folder, self.socket = folder, folder / "socket"
        (folder / "bakelite.toml").write_text(
            f'board = "simulated"\n[state]\npath = "{folder}/state"\n[control]\nsocket = "{self.socket}"\n'
            f'[recording]\npath = "{folder}/recordings"\n{settings}')
        (folder / "stations.toml").write_text("".join(
            f'[[station]]\nname = "Loopback {number}"\nurl = "{station.url}"\n'
            for number, station in enumerate(stations, 1)))
        terminal, inner = pty.openpty()
        self.process = subprocess.Popen(
            [*tool, program, "--config", folder / "bakelite.toml", "--stations", folder / "stations.toml",
             "--boards", ROOT / "boards", "--output", "null"],
            stdin=inner, stdout=inner, stderr=(folder / "log").open("wb"), start_new_session=True,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "80", "LINES": "24",
                 **({"SSL_CERT_FILE": str(trusts)} if trusts else {})})
        os.close(inner)
        threading.Thread(target=self.drain, args=(terminal,), daemon=True).start()
        wait_for("the box's sound", lambda: "state: playing" in self.ask("radio_status"), 60)

    def drain(self, terminal):
        try:
            while os.read(terminal, 65536):
                pass
        except OSError:
            os.close(terminal)

    def ask(self, *commands):
        try:
            with socket.socket(socket.AF_UNIX) as wire:
                wire.settimeout(20)
                wire.connect(str(self.socket))
                answer = b""
                for command in ("", *commands):
                    wire.sendall(command.encode() + b"\n" if command else b"")
                    part = b""
                    while not re.search(rb"(^|\n)(OK|ACK)[^\n]*\n$", part):
                        more = wire.recv(65536)
                        if not more:
                            break
                        part += more
                    answer += part
                return answer.decode()
        except OSError:
            return ""

    def order(self, word):
        subprocess.run(["callgrind_control", word, str(self.process.pid)], check=True, capture_output=True)

    def cost(self, seconds):
        """-> million instructions a minute, and allocations a second, of the control thread"""
        lasted = self.count(seconds)
        text = (self.folder / "cost.1-01").read_text()
        return instructions(text) / lasted * 60 / 1e6, calls(text, "malloc") / lasted

    def total(self, seconds):
        """-> million instructions a minute of all threads"""
        lasted = self.count(seconds)
        texts = [path.read_text() for path in self.folder.glob("cost.1-*")]
        return sum(map(instructions, texts)) / lasted * 60 / 1e6

    def count(self, seconds):
        """Counts for a time, and ends the box. -> the seconds counted"""
        time.sleep(WARM)
        self.order("--zero")
        begin = time.monotonic()
        time.sleep(seconds)
        self.order("--dump=here")
        lasted = time.monotonic() - begin
        self.end()
        return lasted

    def spent(self, word):
        """Writes a profile. -> million instructions since the last one, of the control thread and of all threads"""
        self.order(f"--dump={word}")
        texts = {path.name[-2:]: path.read_text() for path in self.folder.glob("cost.*-*")
                 if f"desc: Trigger: dump {word}\n" in path.read_text()}
        return instructions(texts["01"]) / 1e6, sum(map(instructions, texts.values())) / 1e6

    def memory(self):
        """-> RssAnon in KiB"""
        time.sleep(WARM)
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        self.end()
        return int(re.search(r"^RssAnon:\s+(\d+)", status, re.M)[1])

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)


def instructions(text):
    """-> the number of instructions in a profile"""
    found = re.search(r"^(?:totals|summary): (\d+)", text, re.M)
    return int(found[1]) if found else 0


def calls(text, name):
    """-> the number of calls of a function in a profile; names are abbreviated to numbers after their first use"""
    number = re.search(rf"fn=(\(\d+\)) {re.escape(name)}(?:'\d+)?$", text, re.M)
    if not number:
        return 0
    wanted = re.escape(number[1])
    return sum(int(count) for count in re.findall(rf"^cfn={wanted}.*\ncalls=(\d+)", text, re.M))


def arguments(seconds):
    """-> the program, and the duration; `seconds` by default"""
    tools = {"valgrind": "valgrind", "strip": "binutils"}
    missing = [package for tool, package in tools.items() if not shutil.which(tool)]
    if missing:
        sys.exit(f"error: install {' '.join(missing)}")
    return pathlib.Path(sys.argv[1]).resolve(), float(sys.argv[2]) if len(sys.argv) > 2 else seconds


def main():
    program, seconds = arguments(60)
    print(f"The box's control thread, {seconds:.0f} s each\n\n| display | million instructions a minute | allocations a "
          "second |\n|---|--:|--:|")
    excess = []
    for name, (title, is_spectrum, max_cost, max_allocations) in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            box = Box(stripped(program, folder), folder, [Station(title)], callgrind(folder))
            if is_spectrum:
                box.ask("radio_press display press")
            cost, allocations = box.cost(seconds)
            print(f"| {name} | {cost:.1f} | {allocations:.1f} |", flush=True)
            excess += [name] if cost > max_cost or allocations > max_allocations else []
            if os.environ.get("PROFILE"):
                shutil.copy(folder / "cost.1-01", f"{os.environ['PROFILE']}-{name}")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        memory = Box(stripped(program, folder), folder, [Station(STILL)], []).memory()
    print(f"\nAnonymous memory of the box: {memory} KiB.")
    excess += ["memory"] if memory > MAX_MEMORY else []
    if excess:
        sys.exit(f"box: above the limit: {', '.join(excess)}")


if __name__ == "__main__":
    main()
