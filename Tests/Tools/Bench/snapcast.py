"""A real snapserver and real snapclients, with their own ports and folder."""
import json
import pathlib
import shutil
import socket
import subprocess
import time


class House:
    """The programs of a house with rooms. Each has a log in the folder; all end with this object."""

    def __init__(self, run, environment):
        self.run, self.environment, self.children = run, environment, {}
        self.feed = run / "feed"
        subprocess.run(["mkfifo", self.feed], check=True)
        (run / "data").mkdir()
        self.stream_port, self.control_port, self.web_port = free_ports(3)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for name in list(self.children):
            self.kill(name)

    @staticmethod
    def missing():
        """-> the programs that are not installed"""
        return [name for name in ("snapserver", "snapclient", "gcc") if not shutil.which(name)]

    def begin(self, name, *command):
        """Starts a program with the log NAME.log."""
        with open(self.run / f"{name}.log", "a") as log:
            self.children[name] = subprocess.Popen(
                [str(c) for c in command], stdout=log, stderr=log, env=self.environment, cwd=self.run)
        return self.children[name]

    def kill(self, name):
        child = self.children.pop(name)
        child.kill()
        child.wait()

    def log(self, name):
        return (self.run / f"{name}.log").read_text(errors="replace")

    def wait_for(self, name, text, seconds=20):
        """Waits until a program's log contains a text."""
        wait(lambda: text in self.log(name), seconds,
             lambda: f'{name} does not say "{text}":\n{self.log(name)[-2000:]}')

    def begin_server(self, script=None):
        control = f"&controlscript={script}" if script else ""
        (self.run / "snapserver.conf").write_text(
            f"[stream]\nsource = pipe://{self.feed}?name=Bakelite&mode=read&sampleformat=48000:16:2{control}\n"
            f"codec = pcm\nport = {self.stream_port}\nbuffer = 1000\n"
            f"[tcp]\nport = {self.control_port}\n[http]\nenabled = false\n")
        (self.run / "server.log").unlink(missing_ok=True)
        self.begin("server", "snapserver", "-c", self.run / "snapserver.conf", f"--server.datadir={self.run / 'data'}")
        self.wait_for("server", "stream acceptor")

    def begin_client(self, room):
        """Starts a snapclient that plays to the card with the room's name."""
        log = self.run / f"client-{room}.log"
        log.unlink(missing_ok=True)
        self.begin(f"client-{room}", "snapclient", "-h", "127.0.0.1", "-p", self.stream_port,
                   "--hostID", room, "-s", room)
        self.wait_for(f"client-{room}", "diff to server")

    def begin_station(self, bakelite):
        root = pathlib.Path(__file__).resolve().parents[3]
        self.begin("station", bakelite, "station", root / "config/demo", "--port", self.web_port,
                   "--titles", root / "config/demo/titles.txt")
        self.wait_for("station", "bakelite-demo.mp3")

    def url(self, name):
        return f"http://127.0.0.1:{self.web_port}/{name}"

    def stream(self):
        """-> the server's report about the radio's stream"""
        with socket.create_connection(("127.0.0.1", self.control_port), timeout=5) as link:
            link.sendall(b'{"id":1,"jsonrpc":"2.0","method":"Server.GetStatus"}\r\n')
            with link.makefile() as lines:
                answer = next(a for a in map(json.loads, lines) if a.get("id") == 1)
        return next(s for s in answer["result"]["server"]["streams"] if s["id"] == "Bakelite")


def wait(condition, seconds, sentence):
    """Waits until a condition holds, or exits with a message. -> the elapsed seconds"""
    begun = time.monotonic()
    while not condition():
        if time.monotonic() - begun > seconds:
            raise SystemExit(sentence() if callable(sentence) else sentence)
        time.sleep(0.02)
    return time.monotonic() - begun


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in sockets]
    for one in sockets:
        one.close()
    return ports
