"""A proxy on loopback with the faults of servers and networks, and a random sequence of faults for several proxies."""
import collections
import queue
import random
import select
import socket
import struct
import threading
import time

from icecast import free_port

# cut: connections end (FIN), new ones are refused. reset: connections and new ones are reset (RST). stall: all data
# waits for the end of the fault. hole: connections die without a word, new ones get no answer. forgotten: the same, but
# new ones work. 404, 503: connections end, new requests get this status.
KINDS = ("cut", "reset", "stall", "hole", "forgotten", "404", "503")
REASONS = {"404": "Not Found", "503": "Service Unavailable"}

Fault = collections.namedtuple("Fault", "begin end proxy kind")


class Line:
    """A connection of the player, and one to the server. With a status the proxy itself answers."""

    def __init__(self, peer, status):
        self.peer, self.server, self.status, self.is_dead, self.is_ending = peer, None, status, False, False
        self.asked, self.to_peer, self.to_server = b"", b"", b""

    @property
    def ends(self):
        return [end for end in (self.peer, self.server) if end]

    def wanted(self, limit=65_536):
        """-> (sockets to read, sockets to write)"""
        reads = [self.peer] if len(self.to_server) < limit and not self.is_ending else []
        if self.server and len(self.to_peer) < limit and not self.is_ending:
            reads.append(self.server)
        return reads, [end for end, data in ((self.peer, self.to_peer), (self.server, self.to_server)) if data and end]


class FaultyProxy:
    """Forwards connections to a port, in a thread of its own. `first`: the first bytes of the first answer with status
    200; `asked`: the first requested paths; `passed`: the time of the last data to the player."""

    FIRST, ASKED = 200_000, 100

    def __init__(self, port):
        self.upstream, self.port = port, free_port()
        self.first, self.begun, self.asked, self.passed, self.fault = b"", None, [], 0.0, None
        self.lines, self.orders = [], queue.Queue()
        self.listen()
        threading.Thread(target=self.run, daemon=True).start()

    def listen(self):
        self.listener = socket.create_server(("127.0.0.1", self.port), backlog=16)

    def begin(self, kind):
        self.orders.put(kind)

    def end(self):
        self.orders.put(None)

    def run(self):
        while True:
            while not self.orders.empty():
                self.change(self.orders.get())
            if self.fault == "stall":
                time.sleep(0.02)
                continue
            lines = [line for line in self.lines if not line.is_dead]
            wanted = [line.wanted() for line in lines]
            reads = [end for pair in wanted for end in pair[0]] + ([self.listener] if self.listener else [])
            reads, writes, _ = select.select(reads, [end for pair in wanted for end in pair[1]], [], 0.02)
            for line in lines:
                self.serve(line, reads, writes)
            if self.listener in reads:
                self.accept()

    # Faults

    def change(self, kind):
        ended, self.fault = self.fault, kind
        if ended == "cut":
            self.listen()
        if kind in ("hole", "forgotten"):
            for line in self.lines:
                self.kill(line)
        elif kind in ("cut", "reset", "404", "503"):
            for line in list(self.lines):
                if not line.is_dead:
                    self.close(line, is_reset=kind == "reset")
        if kind == "cut":
            self.listener.close()
            self.listener = None

    def kill(self, line):
        line.is_dead = True
        if line.server:
            line.server.close()
            line.server = None

    def close(self, line, is_reset=False):
        if is_reset:
            line.peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        for end in line.ends:
            end.close()
        self.lines.remove(line)

    # Data

    def accept(self):
        line = Line(self.listener.accept()[0], self.fault if self.fault in REASONS else None)
        line.peer.setblocking(False)
        self.lines.append(line)
        if self.fault == "reset":
            self.close(line, is_reset=True)
        elif self.fault == "hole":
            self.kill(line)
        elif not line.status:
            try:
                line.server = socket.create_connection(("127.0.0.1", self.upstream), 5)
                line.server.setblocking(False)
            except OSError:
                self.close(line)

    def serve(self, line, reads, writes):
        try:
            if line.peer in reads:
                data = line.peer.recv(16_384)
                if not data:
                    return self.close(line)
                self.ask(line, data)
            if line.server in reads:
                data = line.server.recv(16_384)
                line.is_ending = not data
                self.answer(line, data)
            if line.peer in writes and line.to_peer:
                line.to_peer = line.to_peer[line.peer.send(line.to_peer):]
            if line.server in writes and line.to_server:
                line.to_server = line.to_server[line.server.send(line.to_server):]
            if line.is_ending and not line.to_peer:
                self.close(line)
        except OSError:
            self.close(line)

    def ask(self, line, data):
        line.to_server += data
        line.asked += data
        while b"\r\n\r\n" in line.asked:
            head, _, line.asked = line.asked.partition(b"\r\n\r\n")
            if len(self.asked) < self.ASKED:
                self.asked.append(head.split()[1].decode())
            if line.status:
                line.to_peer += (f"HTTP/1.1 {line.status} {REASONS[line.status]}\r\nContent-Length: 0\r\n"
                                 "Connection: close\r\n\r\n").encode()
                line.is_ending = True

    def answer(self, line, data):
        line.to_peer += data
        self.passed = time.monotonic() if data else self.passed
        if self.first and line is self.begun and len(self.first) < self.FIRST:
            self.first += data
        elif not self.first and b" 200 " in data[:16]:
            self.first, self.begun = data, line


class Script:
    """A random sequence of faults, of which one ends before the next begins."""

    LASTS, APART = (1.0, 12.0), (4.0, 6.0)  # seconds of a fault, and until the next

    def __init__(self, seed, count):
        chance = random.Random(seed)
        self.faults, moment = [], 0.0
        for _ in range(count):
            moment += chance.uniform(*self.APART)
            lasts = chance.uniform(*self.LASTS)
            self.faults.append(Fault(moment, moment + lasts, chance.randrange(2), chance.choice(KINDS)))
            moment += lasts
        self.length = moment + self.APART[1]
