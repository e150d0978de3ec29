"""A station on loopback with TLS that sends WAV in real time, without a length."""
import http.server
import ssl
import struct
import threading
import time

RATE, AHEAD = 44_100 * 4, 3  # bytes a second; seconds that a new listener receives at once


class WavStation:
    """Plays `sound` in a loop: 16 bits, two channels, 44.1 kHz. `certificate`: a file with a certificate and its
    key."""

    def __init__(self, sound, certificate):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "audio/wav")
                self.end_headers()
                try:
                    send(self.wfile, sound)
                except OSError:
                    pass

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.url = f"https://127.0.0.1:{self.server.server_address[1]}/live.wav"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self):
        self.server.shutdown()


def send(file, sound):
    endless = b"\xff" * 4
    form = struct.pack("<IHHIIHH", 16, 1, 2, RATE // 4, RATE, 4, 16)
    file.write(b"RIFF" + endless + b"WAVEfmt " + form + b"data" + endless)
    began, sent = time.monotonic(), 0
    while True:
        due = int((time.monotonic() - began + AHEAD) * RATE)
        while sent < due:
            at = sent % len(sound)
            piece = sound[at:at + min(16_384, due - sent)]
            file.write(piece)
            sent += len(piece)
        time.sleep(0.05)
