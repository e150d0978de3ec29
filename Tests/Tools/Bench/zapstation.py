"""Stations on loopback that send tones, and record the moments of their last listener. They are for station changes."""
import http.server
import re
import socket
import ssl
import subprocess
import threading
import time

from icecast import frames
from packager import live_list

RATE = 44100
TONES = (440, 660)
KINDS = {"mp3": ("audio/mpeg", ["-c:a", "libmp3lame", "-b:a", "128k", "-f", "mp3"], 16_000),
         "aac": ("audio/aac", ["-c:a", "aac", "-b:a", "96k", "-f", "adts"], 12_000),
         "opus": ("audio/ogg", ["-c:a", "libopus", "-b:a", "96k", "-f", "ogg"], 12_500)}
BURST = 4  # seconds that a station sends at once
METAINT = 8_000


def rate(kind):
    return 48000 if kind == "opus" else RATE


def title(hertz):
    return f"Tone of {hertz} Hz"


def tone(run, kind, hertz, seconds):
    """-> the encoded tone; Ogg carries its title"""
    path = run / f"{hertz}.{kind}"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i",
         f"sine=frequency={hertz}:sample_rate={rate(kind)}:duration={seconds},volume=4",
         "-metadata", f"title={title(hertz)}", "-ac", "2", *KINDS[kind][1], path], check=True)
    return path.read_bytes()


def certify(run):
    """Makes a certificate for 127.0.0.1. -> the certificate, and a file with the certificate and its key"""
    certificate, both = run / "certificate.pem", run / "both.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", run / "key.pem", "-out", certificate,
         "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"],
        check=True, stderr=subprocess.DEVNULL)
    both.write_bytes(certificate.read_bytes() + (run / "key.pem").read_bytes())
    return certificate, both


def server_context(certificate):
    """`certificate`: a file with a certificate and its key; None for plain HTTP"""
    if not certificate:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


class Station:
    """Sends a tone to each listener, `BURST` seconds at once and then in real time."""

    def __init__(self, sound, kind, hertz, certificate=None):
        self.sound, (self.type, _, self.rate) = sound, KINDS[kind]
        self.hertz, self.context, self.moments = hertz, server_context(certificate), {}
        # Ogg starts with its headers; other streams start anywhere, without the silence of their encoder's start.
        self.begin = 0 if kind == "opus" else 3 * self.rate
        words = f"StreamTitle='{title(hertz)}';".encode()
        words += bytes(-len(words) % 16)
        # Ogg has its own title.
        self.words = None if kind == "opus" else bytes([len(words) // 16]) + words
        self.socket = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.accept, daemon=True).start()
        scheme = "https" if certificate else "http"
        self.url = f"{scheme}://127.0.0.1:{self.socket.getsockname()[1]}/tone"

    def accept(self):
        while True:
            client, _ = self.socket.accept()
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.serve, args=(client, time.monotonic()), daemon=True).start()

    def serve(self, client, accepted):
        try:
            if self.context:
                client = self.context.wrap_socket(client, server_side=True)
            request = b""
            while b"\r\n\r\n" not in request:
                part = client.recv(4096)
                if not part:
                    return
                request += part
            asked = time.monotonic()
            metaint = METAINT if self.words and re.search(rb"(?im)^icy-metadata: *1", request) else None
            head = f"HTTP/1.0 200 OK\r\nContent-Type: {self.type}\r\n"
            client.sendall((head + (f"icy-metaint: {METAINT}\r\n" if metaint else "") + "\r\n").encode())
            self.moments = {"connected": accepted, "requested": asked, "first byte": time.monotonic()}
            self.send(client, metaint)
        except OSError:
            pass
        finally:
            client.close()

    def send(self, client, metaint):
        begin, sent = time.monotonic(), self.begin
        while sent < len(self.sound):
            due = min(len(self.sound), self.begin + int((BURST + time.monotonic() - begin) * self.rate))
            while sent < due:
                end = min(due, sent + metaint - (sent - self.begin) % metaint) if metaint else due
                is_block = metaint and (end - self.begin) % metaint == 0
                client.sendall(self.sound[sent:end] + (self.block(end) if is_block else b""))
                sent = end
            time.sleep(0.05)

    def block(self, place):
        """-> the metadata at a place of the sound: the title once, then empty blocks"""
        return self.words if place == self.begin + METAINT else b"\0"


class HlsStation:
    """Lists the newest segments of a tone in AAC, each with a title."""

    SEGMENT, LISTED = 2.0, 6  # seconds, segments

    def __init__(self, sound, hertz):
        self.hertz, self.moments, self.segments, left = hertz, {}, [], 0.0
        for frame, length in frames(sound):
            if left <= 0:
                self.segments.append(bytearray())
                left += self.SEGMENT
            self.segments[-1] += frame
            left -= length
        self.began = time.monotonic() - self.LISTED * self.SEGMENT
        station = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self):
                station.answer(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/live.m3u8"

    def listing(self):
        return live_list(
            len(self.segments), self.began, self.SEGMENT, self.LISTED, ".aac", title(self.hertz))

    def answer(self, request):
        now, name = time.monotonic(), request.path.removeprefix("/")
        is_list = name == "live.m3u8"
        body = self.listing() if is_list else bytes(self.segments[int(name.removesuffix(".aac"))])
        # The server learns of a connection by its first request.
        self.moments.setdefault("requested", now)
        if not is_list:
            self.moments.setdefault("first byte", now)
        try:
            request.send_response(200)
            request.send_header("Content-Type", "application/vnd.apple.mpegurl" if is_list else "audio/aac")
            request.send_header("Content-Length", str(len(body)))
            request.end_headers()
            request.wfile.write(body)
        except OSError:
            pass
