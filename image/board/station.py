"""A live station on the host's loopback: repeats the demo piece with ICY titles, from the start for each client."""
import http.server
import pathlib
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
METAINT, BURST, RATE = 16_000, 12 * 16_000, 16_000
LAP = (ROOT / "config/demo/bakelite-demo.mp3").read_bytes()
SONG = LAP * 4
# A station list in the format of radio-browser's servers; its addresses are those of this server for the board.
FOUND = "960cf833-0601-11e8-ae97-52543be00001"
LIST = f"""stationuuid,name,url,country,countrycode,votes,codec,bitrate,hls,lastcheckok
960cf833-0601-11e8-ae97-52543be00000,Antenne Nord,http://10.0.2.100:8000/north,Germany,DE,900,MP3,128,0,1
{FOUND},Found FM,http://10.0.2.100:8000/found,Germany,DE,500,MP3,128,0,1
"""


def title_block(text):
    text = f"StreamTitle='{text}';".encode()
    count = (len(text) + 15) // 16
    return bytes([count]) + text.ljust(count * 16, b"\0")


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.paths.append(self.path)
        if self.path.startswith("/csv/"):
            return self.send_list()
        if self.server.is_gone:
            return self.send_error(404)
        self.send_response(200)
        for name, value in [("Content-Type", "audio/mpeg"), ("icy-br", "128"), ("icy-metaint", str(METAINT))]:
            self.send_header(name, value)
        self.end_headers()
        began, sent, told = time.monotonic(), 0, None
        try:
            while sent < len(SONG):
                due = BURST + int((time.monotonic() - began) * RATE)
                while sent + METAINT <= due:
                    title = self.server.title
                    block = b"\0" if title == told else title_block(title)
                    self.wfile.write(SONG[sent:sent + METAINT] + block)
                    sent, told = sent + METAINT, title
                time.sleep(0.05)
        except OSError:
            pass

    def send_list(self):
        body = LIST.encode()
        self.send_response(200)
        for name, value in [("Content-Type", "text/csv"), ("Content-Length", str(len(body)))]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Station(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.paths, self.title = [], "Nina Simone - Feeling Good"
        # True while no address exists.
        self.is_gone = False
        threading.Thread(target=self.serve_forever, daemon=True).start()
