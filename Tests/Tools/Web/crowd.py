#!/usr/bin/env python3
"""Loads the web panel of a playing box with sixteen open pages, and with two hundred slow or hostile clients.

Half of these clients are slow, the others hostile. The median time of other requests is at most 50 ms, and the audio
has no underrun.

crowd.py BAKELITE
"""
import http.client
import json
import random
import socket
import statistics
import sys
import threading
import time

from api import Client
from browser import WebBox, Wire, check, wait_for
from stage import run

PAGES, CLIENTS, SECONDS = 16, 200, 30
SLOW = (b"GET / HTTP/1.1\r\nHost: loc", b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n{", b"")
HOSTILE = (
    b"GET /api/status HTTP/1.1\r\nHost: evil.example\r\n\r\n", b"GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 9_000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"A: b\r\n" * 2_000 + b"\r\n",
    b"GET /%0d%0aSet-Cookie:%20a=b HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"POST /api/stop HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\nContent-Length: 0\r\n\r\n",
    b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc",
    b"\x00" * 4_000,
)


def memory(child):
    """Returns the anonymous memory of a program in KiB."""
    with open(f"/proc/{child.process.pid}/status") as file:
        return int(next(line for line in file if line.startswith("RssAnon:")).split()[1])


class Listener:
    """A page that receives events."""

    def __init__(self, client):
        self.connection = http.client.HTTPConnection("127.0.0.1", client.box.port, timeout=20)
        self.connection.request("GET", "/api/events", headers=client.headers)
        self.answer = self.connection.getresponse()

    def hear(self, name):
        """Returns the data of the next event with this name, and its arrival time."""
        while True:
            line = self.answer.fp.readline().decode().rstrip()
            if line == f"event: {name}":
                return json.loads(self.answer.fp.readline().decode().removeprefix("data: ")), time.monotonic()


def open_pages(box):
    """Checks that sixteen pages receive each change, the last page within 150 ms."""
    client = Client(box)
    client.ask("POST", "/api/login", {"password": box.code})
    pages = [Listener(client) for _ in range(PAGES)]
    for page in pages:
        page.hear("status")
    check(client.ask("GET", "/api/events")[0] == 503, "one more is told to come later")
    late = []
    for volume in range(20, 30):
        begun = time.monotonic()
        Wire(box.socket).ask(f"setvol {volume}")
        for page in pages:
            while True:
                change, moment = page.hear("change")
                if change.get("volume") == volume:
                    break
            late.append(moment - begun)
    check(statistics.median(late) <= 0.150,
          f"a change is told after {statistics.median(late) * 1e3:.1f} ms, {max(late) * 1e3:.1f} ms at most")
    kept = memory(box.web)
    check(kept <= 6_144, f"bakelite-web has {kept} KiB of its own with {PAGES} pages")
    return pages


def bother(port, number, until):
    """Runs a malicious client in a loop: slow clients stay connected, hostile clients reconnect."""
    dice = random.Random(number)
    while time.monotonic() < until:
        address = f"127.0.{1 + number % 8}.{1 + number // 8}"
        try:
            with socket.create_connection(("127.0.0.1", port), 5, (address, 0)) as line:
                line.settimeout(5)
                if number % 2 == 0:
                    line.sendall(dice.choice(SLOW))
                    for _ in range(50):
                        if time.monotonic() > until:
                            return
                        time.sleep(0.2)
                        line.sendall(b"a")
                else:
                    line.sendall(dice.choice(HOSTILE))
                    line.recv(65_536)
                    time.sleep(dice.random() / 2)
        except OSError:
            time.sleep(0.1)


def crowd(box):
    until = time.monotonic() + SECONDS
    threads = [threading.Thread(target=bother, args=(box.port, number, until), daemon=True) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    time.sleep(1)
    times, refused = [], 0
    while time.monotonic() < until - 1:
        begun = time.monotonic()
        try:
            connection = http.client.HTTPConnection("127.0.0.1", box.port, timeout=5, source_address=("127.0.9.9", 0))
            connection.request("GET", "/health")
            answer = connection.getresponse()
            answer.read()
            times.append(time.monotonic() - begun)
            refused += answer.status != 200
        except OSError:
            refused += 1
        connection.close()
        time.sleep(0.02)
    for thread in threads:
        thread.join(20)
    middle = statistics.median(times) * 1e3
    check(middle <= 50, f"beside {CLIENTS} others {len(times)} requests took {middle:.1f} ms at the median, "
                        f"{max(times) * 1e3:.0f} ms at most")
    check(refused * 100 <= len(times), f"{refused} of them were refused")


def drive(stage):
    box = WebBox(stage)
    wait_for("/health is green", lambda: Client(box).ask("GET", "/health")[0] == 200)
    underruns, kept = box.told("underruns"), memory(box.child)
    pages = open_pages(box)
    crowd(box)
    check(len(pages) == PAGES and memory(box.web) <= 6_144, f"bakelite-web has {memory(box.web)} KiB of its own afterwards")
    check(box.told("underruns") == underruns, f"{underruns} underruns before, {box.told('underruns')} after")
    check(memory(box.child) - kept <= 256, f"the radio has {memory(box.child) - kept} KiB more of its own")
    Wire(box.socket).ask("setvol 50")
    for page in pages:
        while page.hear("change")[0].get("volume") != 50:
            pass
    check(True, "the pages still hear each change")


if __name__ == "__main__":
    run(drive)
    sys.exit(0)
