"""A live HLS station on loopback, plain and with TLS."""
import http.server
import ssl
import threading
import time

from icecast import frames


def live_list(count, began, seconds, listed, ending, title=""):
    """-> the media list at this moment: the newest `listed` of `count` segments of `seconds` each, made since `began`"""
    end = min(count, int((time.monotonic() - began) / seconds))
    first = max(0, end - listed)
    lines = ["#EXTM3U", f"#EXT-X-TARGETDURATION:{seconds:.0f}", f"#EXT-X-MEDIA-SEQUENCE:{first}"]
    for number in range(first, end):
        lines += [f"#EXTINF:{seconds},{title}", f"{number}{ending}"]
    return "\n".join(lines).encode() + b"\n"


class Packager:
    """Splits a programme into segments over time and lists the newest ten. Counts the segments of each listener.

    `certificate`: a file with a certificate and its key, for TLS. `seconds`: the total duration; the programme is
    repeated.
    """

    LISTED = 10

    def __init__(self, mp3, segment, certificate=None, seconds=0):
        self.segment = segment
        self.segments, time_left, sent = [bytearray()], segment, 0
        parts = frames(mp3)
        while not sent or sent < seconds:
            for frame, length in parts:
                if time_left <= 0:
                    self.segments.append(bytearray())
                    time_left += segment
                self.segments[-1] += frame
                time_left -= length
                sent += length
        self.began = time.monotonic() - self.LISTED * segment
        # The first segment that each listener has not requested. A listener has its own folder.
        self.next = {}
        station = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                station.answer(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        self.scheme = "https" if certificate else "http"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, listener):
        """Returns the playlist's address for a listener."""
        return f"{self.scheme}://127.0.0.1:{self.port}/{listener}/live.m3u8"

    def listing(self):
        return live_list(len(self.segments), self.began, self.segment, self.LISTED, ".mp3")

    def answer(self, request):
        _, listener, name = request.path.split("/")
        number = None if name == "live.m3u8" else int(name.removesuffix(".mp3"))
        body = self.listing() if number is None else bytes(self.segments[number])
        try:
            request.send_response(200)
            request.send_header("Content-Type", "audio/mpeg" if number is not None else "application/vnd.apple.mpegurl")
            request.send_header("Content-Length", str(len(body)))
            request.end_headers()
            request.wfile.write(body)
        except OSError:
            return
        if number is not None:
            self.next[listener] = number + 1
