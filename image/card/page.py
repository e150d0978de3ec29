"""A browser's view of the web panel on a virtual board."""
import http.client
import json
import re
import socket
import time

# Seconds. An emulated processor is slow at hashing and encryption, and starts many services at once.
PATIENCE = 300


def free_port():
    """Returns an unused port of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Page:
    """A browser on this machine. port: the local port that leads to the box's port 80."""

    def __init__(self, port):
        self.port, self.cookie, self.token = port, "", ""

    def ask(self, method, path, body=None):
        """Returns status and body of the response; status None without a response."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        head = {"Host": "bakelite.local", "Cookie": self.cookie, "X-Bakelite-Token": self.token}
        if body is not None:
            head["Content-Type"] = "application/json"
        try:
            connection.request(method, path, None if body is None else json.dumps(body), head)
            answer = connection.getresponse()
            self.cookie = (answer.getheader("Set-Cookie") or self.cookie).split(";")[0]
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            return None, b""
        finally:
            connection.close()

    def wait(self, path, status):
        """Waits for a response with this status. Returns its body."""
        end, told = time.monotonic() + PATIENCE, None
        while told != status:
            assert time.monotonic() < end, f"{path} returned the status {told}, not {status}"
            told, body = self.ask("GET", path)
            time.sleep(0.5)
        return body

    def sign_in(self, board):
        """Signs in with the code on the display, checks that the code disappears, and sets the volume."""
        self.wait("/", 200)
        rows = board.wait("The display shows a code.", lambda rows: re.search("Code: [A-Z2-9]{8}", " ".join(rows)), 600)
        code = re.search("Code: ([A-Z2-9]{8})", " ".join(rows)).group(1)
        assert self.ask("GET", "/api/status")[0] == 401, "the status is readable without a session"
        status, body = self.ask("POST", "/api/login", {"password": code})
        assert status == 200, f"the login with the code returned the status {status}"
        self.token = json.loads(body)["token"]
        board.wait("The code has disappeared.", lambda rows: "Code:" not in " ".join(rows), 120)
        assert self.ask("POST", "/api/volume", {"volume": 90})[0] == 200, "the page cannot set the volume"
        assert json.loads(self.wait("/api/status", 200))["volume"] == 90
