#!/usr/bin/env python3
"""Tests three boxes in network namespaces, a radio with snapserver and two rooms: knob, display and mute of each.

boxes.py BAKELITE

Needs root, for new namespaces (processes, network, mounts) and a new /run. Each box has its own host name and
network card; a bridge connects the boxes.
"""
import os
import subprocess
import tempfile
import time

from stage import ROOT, Radio, Wire, check, is_private, run, wait_for

CONFIG = ROOT / "config/snapcast/etc"
SERVER = "10.9.0.1"
ROOMS = ("bath", "bedroom")
PIECE = 48_000  # bytes in 250 ms


class Box:
    """`bakelited` and its snapclient, which plays to a file."""

    def __init__(self, stage, name, settings, output=()):
        self.stage, self.name, self.output = stage, name, output
        self.folder = stage.folder / name
        self.folder.mkdir()
        self.socket, self.sound = self.folder / "socket", self.folder / "sound"
        (self.folder / "bakelite.toml").write_text(
            f'board = "raspberry-pi-pcm5102-lcd2004"\n{settings}\n[control]\nsocket = "{self.socket}"\n'
            f'[state]\npath = "{self.folder}"\n')
        (self.folder / "stations.toml").write_text(
            f'[[station]]\nname = "One"\nurl = "{stage.mp3}"\n\n[[station]]\nname = "Two"\nurl = "{stage.aac}"\n')

    def run(self, command, log):
        """Starts a program inside the box, with its host name and network."""
        words = [str(word) for word in command]
        if self.name in ROOMS:
            words = ["ip", "netns", "exec", self.name, *words]
        words = ["unshare", "--uts", "sh", "-c", 'hostname "$0"; exec "$@"', self.name, *words]
        return self.stage.child(words, f"{self.name}-{log}")

    def start(self):
        self.daemon = self.run(
            [self.stage.binary.with_name("bakelited"), "--config", self.folder / "bakelite.toml", "--boards",
             ROOT / "boards"], "box")
        wait_for(f"{self.name}: its box answers", lambda: self.ask("ping") == ["OK"])

    def listen(self):
        host = "127.0.0.1" if self.name not in ROOMS else SERVER
        self.client = self.run(["snapclient", "--host", host, "--player", f"file:filename={self.sound}"], "client")

    def ask(self, command):
        return Wire(self.socket).ask(command)

    def does(self, *commands):
        for command in commands:
            answer = self.ask(command)
            check(answer == ["OK"], f"{self.name}: {command}" + ("" if answer == ["OK"] else f": {answer}"))

    def value(self, key, command="radio_status"):
        return dict(line.split(": ", 1) for line in self.ask(command) if ": " in line).get(key)

    def rows(self):
        return [line.split(": ", 1)[1] for line in self.ask("radio_display") if line.startswith("row_")]

    def shows(self, *texts, seconds=30):
        wait_for(f"{self.name}: its display shows {', '.join(texts)}",
                 lambda: all(any(text in row for row in self.rows()) for text in texts), seconds)

    def level(self):
        """Returns the loudness of the next 250 ms; -1 if snapclient writes nothing for five seconds."""
        end = time.monotonic() + 5
        before = os.stat(self.sound).st_size // 4 * 4
        while os.stat(self.sound).st_size < before + PIECE:
            if time.monotonic() > end:
                return -1
            time.sleep(0.02)
        with open(self.sound, "rb") as file:
            file.seek(before)
            return Radio.level(file.read(PIECE))

    def is_heard(self, seconds=30):
        wait_for(f"{self.name}: sound comes", lambda: self.level() > 50, seconds)

    def is_quiet(self, seconds=30):
        wait_for(f"{self.name}: it is silent", lambda: self.level() == 0, seconds)


def begin_server(stage, kitchen):
    """Starts snapserver with the repository's settings, the pipe from tmpfiles.d, and the radio's control script."""
    script = stage.folder / "control"
    script.write_text(f'#!/bin/sh\nexec "{stage.binary}" snapcast --socket "{kitchen.socket}" "$@"\n')
    script.chmod(0o755)
    settings = (CONFIG / "snapserver.conf").read_text()
    check("controlscript=bakelite-control" in settings, "the settings name the control script")
    (stage.folder / "snapserver.conf").write_text(
        settings.replace("controlscript=bakelite-control", f"controlscript={script}")
        + f"\n[server]\ndatadir = {stage.folder}\n")
    return kitchen.run(["snapserver", "--config", stage.folder / "snapserver.conf"], "server")


def room(box, name):
    """Returns a room's volume, mute and connection as reported by a box."""
    lines = dict(line.split(": ", 1) for line in box.ask(f"radio_room {name}") if ": " in line)
    return lines.get("volume"), lines.get("muted"), lines.get("connected")


def tell_loudness(boxes):
    print("      loudness: " + ", ".join(f"{box.name} {box.level():.0f}" for box in boxes), flush=True)


def drive(stage):
    kitchen = Box(stage, "kitchen", '[audio]\noutput = "snapcast"')
    rooms = [Box(stage, name, f'[audio]\noutput = "room"\n[snapcast]\nserver = "{SERVER}"') for name in ROOMS]
    bath, bedroom = rooms
    boxes = [kitchen, *rooms]
    for box in rooms:
        box.start()
        box.shows("Snapserver is gone")
    kitchen.start()
    server = begin_server(stage, kitchen)
    for box in boxes:
        box.listen()
    wait_for("the radio knows three rooms", lambda: kitchen.value("rooms") == "3")
    wait_for("the kitchen plays", lambda: kitchen.value("state") == "playing")
    check([box.value("state") for box in rooms] == ["stopped"] * 2, "the rooms have no radio")

    print("-- what each shows")
    kitchen.shows("One")
    for box in rooms:
        box.shows("One", f"{box.name} ", "100 %", seconds=60)
        box.is_heard()
    kitchen.is_heard()
    tell_loudness(boxes)
    early = int(kitchen.value("underruns"))

    print("-- the knob of each")
    bath.does("radio_turn -10")
    wait_for("the kitchen sees the bath at 80", lambda: room(kitchen, "bath") == ("80", "0", "1"))
    bedroom.does("radio_turn -20")
    wait_for("the bath sees the bedroom at 60", lambda: room(bath, "bedroom") == ("60", "0", "1"))
    wait_for("the bedroom sees the bath at 80", lambda: room(bedroom, "bath") == ("80", "0", "1"))
    tell_loudness(boxes)
    kitchen.does("radio_turn 1")
    kitchen.shows("Two")
    for box in rooms:
        box.shows("Two", f"{box.name} ", seconds=30)

    print("-- the mute of each")
    bath.does("radio_press knob")
    bath.is_quiet()
    bath.shows("MUTE")
    wait_for("the kitchen sees that the bath is muted", lambda: room(kitchen, "bath")[1] == "1")
    check(bedroom.level() > 50, "the bedroom plays on")
    bath.does("radio_press knob")
    bath.is_heard()
    bedroom.does("radio_press knob")
    bedroom.is_quiet()
    kitchen.does("radio_room bedroom unmute")
    bedroom.is_heard()
    kitchen.does("disableoutput 0")
    for box in boxes:
        box.is_quiet()
    kitchen.does("enableoutput 0")
    bath.is_heard()

    print("-- the kitchen's menu sets a room")
    kitchen.does("radio_press menu")
    kitchen.shows("→Rooms")
    kitchen.does("radio_press select")
    # The order of the rooms is the order of their arrival.
    wait_for("the cursor reaches the bath",
             lambda: any(row.startswith("→bath") for row in kitchen.rows()) or not kitchen.ask("radio_turn 1"))
    kitchen.does("radio_press select", "radio_turn -5")
    wait_for("the bath is at 70", lambda: bath.value("volume") == "70")
    kitchen.does("radio_press select")
    bath.is_quiet()
    kitchen.does("radio_press select")
    bath.is_heard()
    kitchen.does("stop")
    for box in rooms:
        box.is_quiet()
        wait_for(f"{box.name}: it knows that nothing plays", lambda box=box: box.value("stream_playing") == "0")
    kitchen.does("play")
    bath.is_heard()

    print("-- what goes away")
    subprocess.run(["ip", "-n", "bedroom", "link", "set", "eth", "down"], check=True)
    bedroom.does("radio_turn -1")
    bedroom.shows("Snapserver is gone")
    check(bath.level() > 50, "the bath plays on")
    subprocess.run(["ip", "-n", "bedroom", "link", "set", "eth", "up"], check=True)
    wait_for("the bedroom is back", lambda: bedroom.value("room_connected") == "1", 60)
    bedroom.is_heard()
    server.end(9)
    for box in rooms:
        box.shows("Snapserver is gone")
    begin_server(stage, kitchen)
    # The file player of snapclient 0.26 sometimes hangs after its server's end; rooms-faults.py tests the server's
    # return.
    for box in boxes:
        box.client.end(9)
        box.listen()
    for box in rooms:
        wait_for(f"{box.name}: its room is back", lambda box=box: box.value("room_connected") == "1", 60)
    for box in boxes:
        box.is_heard()
    bath.client.end(9)
    bath.shows("Snapclient is gone")
    bath.listen()
    bath.is_heard()
    late = int(kitchen.value("underruns")) - early
    check(early == late == 0, f"the radio had no underrun: {early} before all rooms were heard, {late} since")
    for box in boxes:
        check(box.daemon.end() == 0, f"{box.name}: its box ends with code 0")


def main():
    if not is_private("three boxes", "snapserver snapclient", "snapserver", "snapclient"):
        return
    # The kitchen uses this network, with the bridge.
    subprocess.run(
        "mount -t tmpfs none /run && mkdir /run/bakelite-snapcast && mkfifo /run/bakelite-snapcast/feed"
        " && ip link set lo up && ip link add house type bridge"
        f" && ip addr add {SERVER}/24 dev house && ip link set house up", shell=True, check=True)
    for number, name in enumerate(ROOMS, 2):
        subprocess.run(
            f"ip netns add {name} && ip link add {name} type veth peer name eth netns {name}"
            f" && ip link set {name} master house up && ip -n {name} addr add 10.9.0.{number}/24 dev eth"
            f" && ip -n {name} link set eth up && ip -n {name} link set lo up", shell=True, check=True)
    # The kernel removes it with the namespaces, even if the script fails.
    tempfile.tempdir = "/run"
    run(drive)


if __name__ == "__main__":
    main()
