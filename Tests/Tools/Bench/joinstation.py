"""Stations on loopback that send a programme in real time, each from its own second on, until they close."""
import bisect
import itertools
import re
import socket
import threading
import time

from icecast import frames
from joinsound import ENCODINGS
from links import pages

STEP = 0.05  # seconds between two parts of a live stream


def parts(path, encoding):
    """Returns the headers of an encoded programme, its frames or pages, and the second at which each ends."""
    data = path.read_bytes()
    if encoding != "opus":
        found = frames(data)
        return b"", [frame for frame, _ in found], list(itertools.accumulate(length for _, length in found))
    found = list(pages(data))
    head = b"".join(page for page, granule in found if granule <= 0)
    found = [(page, granule / 48_000) for page, granule in found if granule > 0]
    return head, [page for page, _ in found], [end for _, end in found]


class Station:
    """Sends a programme that is at second `live` now. `burst`: seconds that a listener receives at once."""

    def __init__(self, encoded, encoding, live, burst):
        self.head, self.parts, self.ends = encoded
        self.type, self.start, self.burst = ENCODINGS[encoding][0], time.monotonic() - live, burst
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}/{self.path}"
        self.clients, self.is_open = [], True
        # The programme's seconds at which the sent audio starts and ends, and the greatest delay of this process.
        self.begun, self.sent, self.late = None, 0.0, 0.0
        threading.Thread(target=self.accept, daemon=True).start()

    path = "live"

    @property
    def live(self):
        return time.monotonic() - self.start

    def accept(self):
        while True:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.clients.append(client)
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        try:
            with client.makefile("rb") as file:
                while (request := file.readline()) and self.is_open:
                    while file.readline().strip():
                        pass
                    self.answer(client, request.split()[1].decode())
        except OSError:
            pass
        client.close()

    def answer(self, client, _):
        client.sendall(f"HTTP/1.0 200 OK\r\nContent-Type: {self.type}\r\n\r\n".encode() + self.head)
        next_part, due = bisect.bisect_left(self.ends, self.live - self.burst) + 1, time.monotonic()
        while self.is_open:
            end = bisect.bisect_right(self.ends, self.live)
            if next_part < end:
                client.sendall(b"".join(self.parts[next_part:end]))
                self.record(self.ends[next_part - 1], self.ends[end - 1])
            next_part, due = max(next_part, end), due + STEP
            time.sleep(max(0, due - time.monotonic()))
            self.late = max(self.late, time.monotonic() - due)
            due = max(due, time.monotonic() - STEP)
        # The end lies within a part.
        client.sendall(self.parts[next_part][:len(self.parts[next_part]) // 2])

    def record(self, start, end):
        self.begun, self.sent = start if self.begun is None else self.begun, max(self.sent, end)

    def close(self):
        """Ends all connections and refuses new ones."""
        self.is_open = False
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.end_clients()

    def end_clients(self):
        time.sleep(2 * STEP)
        for client in self.clients:
            try:
                client.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class HlsStation(Station):
    """Lists the newest segments. The player starts three segments before the end, which are the burst."""

    LISTED = 8
    path = "live.m3u8"

    def __init__(self, encoded, encoding, live, burst):
        self.segment = segment_length(burst)
        super().__init__(encoded, encoding, live, burst)

    def answer(self, client, path):
        number = re.search(r"(\d+)\.aac", path)
        body = self.media(int(number[1])) if number else self.listing()
        kind = self.type if number else "application/vnd.apple.mpegurl"
        head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
        client.sendall(head.encode() + body)

    def listing(self):
        end = int(self.live / self.segment)
        first = max(0, end - self.LISTED)
        lines = ["#EXTM3U", f"#EXT-X-TARGETDURATION:{self.segment}", f"#EXT-X-MEDIA-SEQUENCE:{first}"]
        for number in range(first, end):
            lines += [f"#EXTINF:{self.segment},", f"{number}.aac"]
        return "\n".join(lines).encode() + b"\n"

    def media(self, number):
        first, last = (bisect.bisect_right(self.ends, place * self.segment) for place in (number, number + 1))
        self.record(self.ends[first - 1], self.ends[last - 1])
        return b"".join(self.parts[first:last])


def segment_length(burst):
    """Returns the seconds of a segment, so that three are at least the burst."""
    return max(2, -int(-burst // 3))


def station(encoded, kind, live, burst):
    return (HlsStation if kind == "hls" else Station)(encoded, kind, live, burst)
