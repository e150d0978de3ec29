"""A real Icecast on loopback, plain and with TLS, and source clients that send to it in real time."""
import base64
import multiprocessing
import os
import pwd
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request

PASSWORD = "bench"

CONFIG = """<icecast>
  <limits><sources>10</sources><clients>50</clients><burst-size>{burst}</burst-size>
    <queue-size>{queue}</queue-size></limits>
  <authentication><source-password>{pw}</source-password><admin-user>admin</admin-user>
    <admin-password>{pw}</admin-password><relay-password>{pw}</relay-password></authentication>
  <hostname>localhost</hostname><listen-socket><port>{port}</port><bind-address>127.0.0.1</bind-address></listen-socket>
  {tls}
  <paths><logdir>{run}</logdir><webroot>{run}</webroot><adminroot>{run}</adminroot>{certificate}</paths>
  <logging><errorlog>error.log</errorlog><accesslog>access.log</accesslog></logging>
  <security><chroot>0</chroot>{owner}</security>
</icecast>
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def answers(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


def wait_for(what, test, seconds=30):
    until = time.time() + seconds
    while time.time() < until:
        if test():
            return
        time.sleep(0.05)
    sys.exit(f"Timeout: {what}")


class Icecast:
    """A server with its files in `run`. `tls`: enables TLS; players must trust `certificate`. `burst`: bytes that a
    listener receives at once."""

    def __init__(self, run, tls=False, burst=65_536):
        self.port, self.tls_port = free_port(), free_port() if tls else None
        self.certificate = run / "certificate.pem"
        if tls:
            self.make_certificate(run)
        owner = ""
        if os.geteuid() == 0:
            user = next((u for u in ("icecast2", "nobody") if u in {p.pw_name for p in pwd.getpwall()}), "nobody")
            group = "icecast" if user == "icecast2" else "nogroup"
            owner = f"<changeowner><user>{user}</user><group>{group}</group></changeowner>"
            os.chmod(run, 0o777)
        listen = (f"<listen-socket><port>{self.tls_port}</port><bind-address>127.0.0.1</bind-address><ssl>1</ssl>"
                  "</listen-socket>" if tls else "")
        both = f"<ssl-certificate>{run}/both.pem</ssl-certificate>" if tls else ""
        (run / "icecast.xml").write_text(
            CONFIG.format(pw=PASSWORD, port=self.port, run=run, owner=owner, tls=listen, certificate=both,
                          burst=burst, queue=8 * burst))
        self.process = subprocess.Popen(
            ["icecast2", "-c", run / "icecast.xml"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.feeders = []
        wait_for("Icecast", lambda: answers(self.port))

    def make_certificate(self, run):
        key = run / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", self.certificate,
             "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
            check=True, stderr=subprocess.DEVNULL)
        (run / "both.pem").write_bytes(self.certificate.read_bytes() + key.read_bytes())
        os.chmod(run / "both.pem", 0o644)

    def url(self, mount):
        return f"http://127.0.0.1:{self.port}/{mount}"

    def tls_url(self, mount):
        return f"https://127.0.0.1:{self.tls_port}/{mount}"

    def feed(self, mount, file, kind):
        """Sends a file in a loop in real time, frame by frame, like an encoder."""
        feeder = multiprocessing.Process(target=feed, args=(self.port, mount, file, kind), daemon=True)
        feeder.start()
        self.feeders.append(feeder)

    def set_title(self, mount, title):
        query = urllib.parse.urlencode(dict(mount="/" + mount, mode="updinfo", song=title, charset="UTF-8"))
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/admin/metadata?{query}")
        request.add_header("Authorization", "Basic " + base64.b64encode(f"admin:{PASSWORD}".encode()).decode())
        try:
            urllib.request.urlopen(request, timeout=5).read()
        except OSError as error:
            print(f"the title of {mount} could not be set: {error}")

    def end(self):
        for feeder in self.feeders:
            feeder.kill()
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()


def source(port, mount, kind):
    """-> the connection of a source client"""
    s = socket.create_connection(("127.0.0.1", port))
    credentials = base64.b64encode(f"source:{PASSWORD}".encode()).decode()
    s.sendall(f"SOURCE /{mount} HTTP/1.0\r\nAuthorization: Basic {credentials}\r\nContent-Type: {kind}\r\n"
              f"ice-name: {mount}\r\nice-public: 0\r\n\r\n".encode())
    if b" 200" not in s.recv(4096).split(b"\r\n")[0]:
        sys.exit(f"Icecast refused the mount {mount}")
    return s


def feed(port, mount, file, kind):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parts = frames(file.read_bytes())
    with source(port, mount, kind) as s:
        began, sent, index = time.monotonic(), 0.0, 0
        while True:
            block = bytearray()
            while sent <= time.monotonic() - began:
                frame, seconds = parts[index % len(parts)]
                block += frame
                sent += seconds
                index += 1
            s.sendall(block)
            time.sleep(0.05)


def frames(data):
    """Yields the frames of an MP3 (MPEG-1 Layer III) or ADTS file with their durations in seconds."""
    out, place = [], 0
    while place + 7 <= len(data):
        head = data[place:place + 7]
        size, seconds = mp3_frame(head) or adts_frame(head) or (0, 0)
        if size and place + size <= len(data):
            out.append((data[place:place + size], seconds))
            place += size
        else:
            place += 1
    if not out:
        sys.exit("no frames of MP3 or ADTS in the file")
    return out


def mp3_frame(head):
    if head[0] != 0xFF or head[1] & 0xFE != 0xFA:
        return None
    kbits = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0)[head[2] >> 4]
    rate = (44100, 48000, 32000, 0)[head[2] >> 2 & 3]
    return (144000 * kbits // rate + (head[2] >> 1 & 1), 1152 / rate) if kbits and rate else None


def adts_frame(head):
    if head[0] != 0xFF or head[1] & 0xF6 != 0xF0:
        return None
    rates = (96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000)
    index, size = head[2] >> 2 & 15, (head[3] & 3) << 11 | head[4] << 3 | head[5] >> 5
    return (size, 1024 / rates[index]) if index < 12 and size > 7 else None
