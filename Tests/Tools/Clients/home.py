#!/usr/bin/env python3
"""Tests Home Assistant's link with a real mosquitto: messages (models of ha-mqtt-discoverable), commands, the end.

home.py BAKELITE [SECONDS]

With SECONDS, counts the link's wake-ups and messages during this time without changes.
"""
import getpass
import json
import os
import shutil
import signal
import socket
import sys
import time

from stage import Box, check, run, skip, wait_for

try:
    import paho.mqtt.client as paho
    from ha_mqtt_discoverable.sensors import BinarySensorInfo, ButtonInfo, NumberInfo, SelectInfo, SensorInfo
except ImportError:
    skip("home.py", "pip install ha-mqtt-discoverable")
    sys.exit(0)

BROKER = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
MODELS = {"sensor": SensorInfo, "binary_sensor": BinarySensorInfo, "select": SelectInfo, "number": NumberInfo,
          "button": ButtonInfo}
# Fields written by the library besides its models, or known only to Home Assistant.
ROUTES = {"state_topic", "command_topic", "availability_topic", "json_attributes_topic", "json_attributes_template",
          "value_template", "origin"}


class Listener:
    """A client that retains the last message of each topic."""

    def __init__(self, port):
        self.last, self.count = {}, 0
        self.client = paho.Client(callback_api_version=paho.CallbackAPIVersion.VERSION2)
        self.client.on_message = self.hear
        self.client.connect("127.0.0.1", port)
        self.client.subscribe("#")
        self.client.loop_start()

    def hear(self, client, data, message):
        self.last[message.topic] = message
        self.count += 1

    def text(self, topic):
        message = self.last.get(topic)
        return message.payload.decode() if message else ""

    def configs(self):
        return {topic: json.loads(message.payload) for topic, message in list(self.last.items())
                if topic.startswith("homeassistant/") and topic.endswith("/config")}


def check_models(listener):
    """Checks that the models accept each message: required types, no unknown fields."""
    configs = listener.configs()
    check(len(configs) == 10, f"ten entities are told: {len(configs)}")
    for topic, config in sorted(configs.items()):
        _, component, node, object_id, _ = topic.split("/")
        model = MODELS[component]
        try:
            entity = model.model_validate(config, strict=True)
            unknown = set(config) - set(model.model_fields) - ROUTES
            right = entity.unique_id == f"{node}_{object_id}" and entity.device.identifiers == [node]
            check(not unknown and right, f"{component} {object_id} is a {model.__name__} {unknown or ''}")
        except ValueError as error:
            check(False, f"{component} {object_id}: {error}")


def drive(listener, base, box):
    """Sends a user's commands from Home Assistant."""
    def state():
        return json.loads(listener.text(base + "/state") or "{}")

    def press(word, text="PRESS"):
        listener.client.publish(f"{base}/set/{word}", text)

    wait_for("it plays the first preset", lambda: state()["state"] == "playing" and state()["preset"] == "One")
    wait_for("its title comes", lambda: state()["title"])
    press("volume", "31")
    wait_for("the volume follows", lambda: state()["volume"] == 31 and box.value("volume") == "31")
    press("station", "Two")
    wait_for("the station follows", lambda: state()["preset"] == "Two" and state()["state"] == "playing")
    press("pause")
    wait_for("it pauses", lambda: state()["state"] == "paused" and box.value("state") == "pause")
    press("play")
    wait_for("it plays on", lambda: state()["state"] == "playing")
    press("next")
    wait_for("next goes around the presets", lambda: state()["preset"] == "One")
    before = listener.count
    listener.client.publish("homeassistant/status", "online")
    wait_for("all is told again when Home Assistant starts", lambda: listener.count >= before + 12)


def thread(process):
    """Returns the voluntary context switches of the link's thread, and its time in ticks."""
    for task in os.listdir(f"/proc/{process}/task"):
        folder = f"/proc/{process}/task/{task}"
        with open(folder + "/status") as status, open(folder + "/stat") as stat:
            text = status.read()
            if "\tbk-mqtt\n" in text:
                wakes = int(text.split("\nvoluntary_ctxt_switches:")[1].split()[0])
                fields = stat.read().rsplit(")", 1)[1].split()
                return wakes, int(fields[11]) + int(fields[12])
    return None


def rest(listener, box, seconds):
    """Checks that, without changes, only the keep-alive of each minute wakes the link."""
    time.sleep(2)
    (wakes, ticks), messages = thread(box.child.process.pid), listener.count
    time.sleep(seconds)
    (more, later), told = thread(box.child.process.pid), listener.count - messages
    print(f"      in {seconds} s: {more - wakes} wake-ups of the link, {10 * (later - ticks)} ms, {told} messages told")
    check(more - wakes <= 2 * (seconds // 60 + 1) + told, "only the keep-alive wakes the link")


def play(stage):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (stage.folder / "mosquitto.conf").write_text(
        f"listener {port} 127.0.0.1\nallow_anonymous true\nuser {getpass.getuser()}\n")
    stage.child([BROKER, "-c", stage.folder / "mosquitto.conf"], "mosquitto")
    wait_for("mosquitto runs", lambda: socket.create_connection(("127.0.0.1", port)).close() or True)
    listener = Listener(port)
    box = Box(stage, settings=f'[mqtt]\nserver = "127.0.0.1:{port}"\ndevice_name = "K\u00fcche 1"\n')
    wait_for("the radio is there", lambda: any(
        m.payload == b"online" for t, m in list(listener.last.items()) if t.endswith("/availability")))
    base = next(t for t in listener.last if t.endswith("/availability")).rsplit("/", 1)[0]
    wait_for("it tells its entities", lambda: len(listener.configs()) == 10)
    check_models(listener)
    late = Listener(port)
    wait_for("who comes late is told all of it", lambda: len(late.configs()) == 10)
    check(all(late.last[topic].retain for topic in late.configs()), "since the broker keeps it")
    drive(listener, base, box)
    if len(sys.argv) > 2:
        rest(listener, box, int(sys.argv[2]))
    box.child.end(signal.SIGKILL)
    wait_for("the broker tells of a radio that was killed", lambda: listener.text(base + "/availability") == "offline")
    box.start()
    wait_for("and that it is back", lambda: listener.text(base + "/availability") == "online")
    check(box.child.end() == 0, "it ends with code 0")
    wait_for("and says goodbye", lambda: listener.text(base + "/availability") == "offline")


def main():
    if not BROKER:
        skip("home.py", "apt-get install mosquitto")
        sys.exit(0)
    run(play)


if __name__ == "__main__":
    main()
