#!/usr/bin/env python3
"""Tests a box that plays in two rooms: pause, another station, volume, and killed snapserver, client and box.

Prints the seconds until each change is audible.

rooms-faults.py BAKELITE BAKELITED
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from clockcard import Heard, make_cards
from snapcast import House, wait

ROOMS = ("one", "two")
# Seconds that the rooms continue after a command: the server's buffer and the pipe. Then the reaction time of this
# machine.
BEHIND = 1.4
NOTICE = 0.6


class Box:
    """A box with two stations and the rooms of a house."""

    def __init__(self, house, bakelite, daemon):
        self.house, self.bakelite, self.daemon = house, bakelite, daemon
        self.socket = house.run / "socket"
        (house.run / "state").mkdir()
        (house.run / "bakelite.toml").write_text(
            f'board = "simulated"\n[audio]\noutput = "snapcast"\nstart_volume_max = 100\n[control]\n'
            f'socket = "{self.socket}"\n[snapcast]\npipe = "{house.feed}"\nserver = "127.0.0.1:{house.control_port}"\n'
            f'[state]\npath = "{house.run / "state"}"\n')
        (house.run / "stations.toml").write_text("".join(
            f'[[station]]\nname = "{name}"\nurl = "{house.url("bakelite-demo." + suffix)}"\n'
            for name, suffix in (("First", "mp3"), ("Second", "aac"))))
        self.begin()

    def begin(self):
        self.house.begin("box", self.daemon, "--config", self.house.run / "bakelite.toml",
                         "--stations", self.house.run / "stations.toml")
        wait(self.socket.exists, 20, "The box does not serve its socket.")

    def ctl(self, *words):
        done = subprocess.run([str(self.bakelite), "ctl", "--socket", str(self.socket), *map(str, words)],
                              capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"ctl {' '.join(map(str, words))}: {done.stderr}")
        return done.stdout

    def status(self):
        return json.loads(self.ctl("--json", "radio_status"))


class Room:
    """Listens to a room's current audio."""

    def __init__(self, house, name):
        self.path = house.run / name

    def peak(self):
        """-> the maximum sample of the last 20 ms, from the card"""
        try:
            return Heard(self.path).peak(time.clock_gettime_ns(time.CLOCK_MONOTONIC) - 30_000_000)
        except FileNotFoundError:
            return 0

    def until_sound(self, limit):
        return wait(lambda: self.peak() > 300, limit, f"The room {self.path.name} is silent.")

    def until_silence(self, limit):
        def silent():
            if self.peak():
                return False
            time.sleep(0.15)
            return not self.peak()
        return wait(silent, limit, f"The room {self.path.name} does not become silent.") - 0.15


def report(what, **values):
    print(f"{what}: " + ", ".join(f"{name.replace('_', ' ')} {value:.2f} s" if isinstance(value, float) else
                                  f"{name.replace('_', ' ')} {value}" for name, value in values.items()), flush=True)


def check(condition, sentence):
    if not condition:
        raise SystemExit(f"rooms-faults: {sentence}")


def play(house, bakelite, daemon):
    house.begin_server(script=control_script(house, bakelite))
    house.begin_station(bakelite)
    for room in ROOMS:
        house.begin_client(room)
    box = Box(house, bakelite, daemon)
    one, two = (Room(house, room) for room in ROOMS)
    box.ctl("setvol", 100)
    box.ctl("play", 0)
    report("play", sound_after=one.until_sound(20))
    two.until_sound(5)
    title = lambda: house.stream().get("properties", {}).get("metadata", {}).get("title")
    wait(lambda: title() is not None, 40, "The server reports no title.")
    report("title", server=title(), box=box.status().get("title"))

    box.ctl("pause", 1)
    silence = one.until_silence(BEHIND + NOTICE)
    idle = wait(lambda: house.stream()["status"] == "idle", 5, "The stream does not become idle.")
    report("pause", silent_after=silence, idle_after=silence + idle, state=box.status()["state"])
    box.ctl("pause", 0)
    report("resume", sound_after=one.until_sound(BEHIND + NOTICE))

    box.ctl("play", 1)
    wait(lambda: box.status().get("station") == "Second" and box.status()["state"] == "playing", 10,
         "The box does not switch to the second station.")
    report("zap", station=box.status()["station"])
    box.ctl("setvol", 0)
    report("volume 0", silent_after=one.until_silence(BEHIND + NOTICE))
    box.ctl("setvol", 100)
    report("volume 100", sound_after=one.until_sound(BEHIND + NOTICE))

    house.kill("server")
    one.until_silence(5)
    house.wait_for("box", "No program reads the pipe", 5)
    behind = float(box.status().get("timeshift", 0))
    time.sleep(3)
    house.begin_server(script=control_script(house, bakelite))
    report("server killed for 3 s", sound_after=one.until_sound(10), second_room_after=two.until_sound(5),
           further_behind_live=float(box.status().get("timeshift", 0)) - behind)

    house.children["server"].send_signal(signal.SIGSTOP)
    one.until_silence(5)
    time.sleep(5)
    house.children["server"].send_signal(signal.SIGCONT)
    report("server stopped for 5 s", sound_after=one.until_sound(10), second_room_after=two.until_sound(10))

    house.kill("client-two")
    quiet = sum(one.peak() == 0 for _ in range(40) if time.sleep(0.05) is None)
    house.begin_client("two")
    report("a client killed", other_room_silent=quiet * 0.05, sound_after=two.until_sound(10))

    house.kill("box")
    silence = one.until_silence(5)
    os.unlink(box.socket)
    box.begin()
    report("box killed", silent_after=silence, sound_after=one.until_sound(20))
    time.sleep(2)
    check(box.status()["state"] == "playing", "the box does not play after its restart")
    report("at the end", underruns=box.status()["underruns"])


def control_script(house, bakelite):
    script = house.run / "control"
    script.write_text(f'#!/bin/sh\nexec "{bakelite}" snapcast --socket "{house.run / "socket"}" "$@"\n')
    script.chmod(0o755)
    return script


def main():
    bakelite, daemon = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    if House.missing():
        print(f"rooms-faults: skipped: not installed: {', '.join(House.missing())}")
        return
    with tempfile.TemporaryDirectory(prefix="rooms-") as folder:
        run = pathlib.Path(folder)
        environment = make_cards(run, {"one": 0, "two": 0})
        with House(run, environment) as house:
            try:
                play(house, bakelite, daemon)
            except SystemExit:
                print(house.log("box")[-2000:], house.log("server")[-1000:], sep="\n")
                raise


main()
