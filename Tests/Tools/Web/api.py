#!/usr/bin/env python3
"""Uses the API like an external program.

A validator of OpenAPI checks the document. The script calls each operation and compares its response with the document.
Prometheus's own parser reads the metrics. /health is polled during a station's failure.

api.py BAKELITE
"""
import http.client
import json
import signal
import socketserver
import threading
import time

from browser import WebBox, Wire, check, free_port, wait_for
from stage import run, skip

try:
    from openapi_schema_validator import OAS30Validator
    from openapi_spec_validator import validate
    from prometheus_client.parser import text_string_to_metric_families
except ImportError:
    validate = None

# The request for each operation: path parameters, query and body, and the expected status if it is not 200.
ASKED = {
    "login": {"body": {"password": "CODE"}}, "seek": {"body": {"by": -1}}, "tune": {"body": {"station": "Two"}},
    "setVolume": {"body": {"volume": 31}}, "mute": {"body": {"muted": False}},
    "keepSong": {"body": {"song": "current"}, "status": (200, 409)},
    "record": {"body": {"name": "api"}, "status": (200, 409)}, "stopRecording": {"status": (200, 409)},
    "addPreset": {"body": {"name": "Third", "url": "http://127.0.0.1:1/third"}},
    "editPreset": {"path": {"number": 3}, "body": {"name": "Last"}},
    "movePreset": {"path": {"number": 3}, "body": {"number": 1}}, "removePreset": {"path": {"number": 1}}, "find": {"query": "?words=jazz&from=0"},
    "getRecordings": {"query": "?from=0"},
    "renameRecording": {"path": {"name": "a.mp3"}, "body": {"name": "b"}, "status": (409,)},
    "deleteRecording": {"path": {"name": "a.mp3"}, "status": (409,)},
    "playRecording": {"path": {"name": "a.mp3"}, "status": (409,)},
    "downloadRecording": {"path": {"name": "a.mp3"}, "status": (404,)},
    "getEpisodes": {"query": "?from=0", "status": (409,)},
    "playEpisode": {"body": {"number": 1}, "status": (409,)},
    "getRooms": {"status": (409,)},
    "setRoom": {"path": {"number": 1}, "body": {"volume": 5}, "status": (409,)},
    "setSetting": {"path": {"key": "panel.volume_step"}, "body": {"value": 3}},
    "resetSetting": {"path": {"key": "panel.volume_step"}}, "resume": {"status": (200, 409)},
    "answerMoved": {"body": {"preset": "One", "accept": False}, "status": (409,)},
    "previous": {"status": (200, 409)}, "next": {"status": (200, 409)},
}
# Signing in is first, signing out last. Features that the box lacks (rooms, episodes) are refused as documented.
FIRST, LAST = ("login", "play"), ("removePreset", "stop", "logout")


class Client:
    """A signed-in client."""

    def __init__(self, box):
        self.box, self.headers = box, {}

    def ask(self, method, path, body=None):
        """-> status, headers, body"""
        connection = http.client.HTTPConnection("127.0.0.1", self.box.port, timeout=20)
        headers = dict(self.headers)
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        if answer.headers["Content-Type"].startswith("text/event-stream"):
            text = answer.fp.readline() + answer.fp.readline()
        else:
            text = answer.read()
        connection.close()
        if path == "/api/login" and answer.status == 200:
            cookie = answer.headers["Set-Cookie"].split(";")[0]
            self.headers = {"Cookie": cookie, "X-Bakelite-Token": json.loads(text)["token"]}
        return answer.status, answer.headers, text.decode()


def resolved(document, part):
    """Returns a part of the document with its references resolved."""
    if isinstance(part, dict):
        if "$ref" in part:
            place = document
            for name in part["$ref"].removeprefix("#/").split("/"):
                place = place[name]
            return resolved(document, place)
        return {key: resolved(document, value) for key, value in part.items()}
    return [resolved(document, value) for value in part] if isinstance(part, list) else part


def is_as_told(operation, status, text):
    """Checks a response against the document. Returns the reason if they differ."""
    told = operation["responses"].get(str(status)) or operation["responses"]["default"]
    content = told.get("content", {})
    if not content:
        return text == "" or "it has a body"
    if "application/json" not in content:
        return text != "" or "it has no body"
    errors = list(OAS30Validator(content["application/json"]["schema"]).iter_errors(json.loads(text)))
    return not errors or errors[0].message[:200]


def call_all(document, box):
    """Calls each operation once."""
    client = Client(box)
    operations = [(path, method, operation) for path, methods in document["paths"].items()
                  for method, operation in methods.items()]

    def rank(entry):
        name = entry[2]["operationId"]
        return FIRST.index(name) if name in FIRST else 100 + LAST.index(name) if name in LAST else 50

    for path, method, operation in sorted(operations, key=rank):
        name = operation["operationId"]
        asked = json.loads(json.dumps(ASKED.get(name, {})).replace("CODE", box.code))
        path = path.format(**asked.get("path", {})) + asked.get("query", "")
        status, _, text = client.ask(method.upper(), path, asked.get("body"))
        wanted, told = ASKED.get(name, {}).get("status", (200,)), is_as_told(operation, status, text)
        check(status in wanted and told is True,
              f"{method.upper()} {path}: {status}" + ("" if told is True else f", {told}: {text[:300]}"))
    check(client.ask("GET", "/api/status")[0] == 401, "after signing out nothing is told")


def read_metrics(box):
    status, head, text = Client(box).ask("GET", "/metrics")
    families = {family.name: family for family in text_string_to_metric_families(text)}
    check(status == 200 and {"bakelite_up", "bakelite_state", "bakelite_underruns"} <= set(families),
          f"Prometheus reads {len(families)} metrics")
    states = {sample.labels["state"]: sample.value for sample in families["bakelite_state"].samples}
    check(sum(states.values()) == 1, f"one state of {len(states)} is so")
    labels = {name for family in families.values() for sample in family.samples for name in sample.labels}
    check(labels <= {"state", "version", "codec"} and "127.0.0.1" not in text, "no label holds a title or an address")


def health(box):
    status, _, text = Client(box).ask("GET", "/health")
    return status, json.loads(text)


def fail_station(stage, box):
    """Stops the station and continues it: measures the time from silence to the report of /health."""
    Wire(box.socket).ask("play 0")
    wait_for("/health is green while the radio plays", lambda: health(box)[0] == 200 and health(box)[1]["state"] == "playing")
    station = stage.children[0].process
    station.send_signal(signal.SIGSTOP)
    try:
        wait_for("the sound ends", lambda: box.told("audible") == "0", 90)
        silent = time.monotonic()
        wait_for("/health is red once there is no sound for 5 s", lambda: health(box)[0] == 503, 15)
        late = time.monotonic() - silent
        check(4 <= late <= 7, f"which is {late:.1f} s after the radio said so: {health(box)[1]['reason']}")
    finally:
        station.send_signal(signal.SIGCONT)
    wait_for("/health is green again when it is back", lambda: health(box)[0] == 200, 60)
    for command, state in (("pause 1", "paused"), ("stop", "stopped")):
        Wire(box.socket).ask(command)
        wait_for(f"/health is green, {state}", lambda: health(box) == (200, {"state": state}))


# The faults of a station, and the radio's name for each.
ANSWERS = {
    "notFound": b"HTTP/1.1 404 Not Found\r\n\r\n", "forbidden": b"HTTP/1.1 403 Forbidden\r\n\r\n",
    "passwordNeeded": b'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm="a"\r\n\r\n',
    "serverError": b"HTTP/1.1 500 Internal Server Error\r\n\r\n",
    "webPage": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<!doctype html><title>a</title>" + b" " * 4_000,
    "silence": None,
}


class Trouble(socketserver.BaseRequestHandler):
    """A station with the fault in the request's path."""

    def handle(self):
        head = self.request.recv(65_536).decode(errors="replace")
        answer = ANSWERS.get(head.split(" ")[1].strip("/") if " " in head else "")
        if answer:
            self.request.sendall(answer)
        else:
            time.sleep(60)


def fail_each(stage, box):
    """Checks for each fault that /health is red within 5 s of the radio's report."""
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Trouble)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    own = {name: f"http://127.0.0.1:{server.server_address[1]}/{name}" for name in ANSWERS}
    for name, address in {**own, "connectionRefused": f"http://127.0.0.1:{free_port()}/",
                          "noSuchHost": "http://nowhere.invalid/"}.items():
        Wire(box.socket).ask("play 0")
        wait_for(f"before {name} /health is green", lambda: health(box)[0] == 200, 30)
        Wire(box.socket).ask(f"radio_tune {address}")
        wait_for("the radio has its word", lambda: box.told("fault") == name, 30)
        begun = time.monotonic()
        wait_for("/health is red", lambda: health(box)[0] == 503, 15)
        late = time.monotonic() - begun
        check(late <= 5.5, f"{late:.1f} s after it: {health(box)[1].get('reason')}")
    Wire(box.socket).ask("play 0")
    server.shutdown()


def drive(stage):
    box = WebBox(stage, settings=f'[recording]\npath = "{stage.folder}/recordings"\n')
    document = json.loads(Client(box).ask("GET", "/api/openapi.json")[2])
    if validate is None:
        skip("the document's validation, each operation, and the metrics",
             "pip install openapi-spec-validator prometheus-client")
    else:
        validate(document)
        check(True, f"the document is valid OpenAPI {document['openapi']}")
        call_all(resolved(document, document), box)
        read_metrics(box)
    fail_station(stage, box)
    fail_each(stage, box)


if __name__ == "__main__":
    run(drive)
