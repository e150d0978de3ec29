#!/usr/bin/env python3
"""Three boxes in network namespaces, a radio with snapserver and two rooms of it: knob, display and mute of each.

boxes.py BAKELITE

As root: it has processes, a network and a /run of its own. Each box has its own host name and network card; a bridge
joins them.
"""
import os
import shutil
import subprocess
import sys
import time

from stage import ROOT, Radio, Stage, Wire, check, finish, skip, wait_for

CONFIG = ROOT / "config/snapcast/etc"
SERVER = "10.9.0.1"
ROOMS = ("bath", "bedroom")
PIECE = 48_000 * 4  # bytes of sound in a second


class Box:
    """`bakelited` and the snapclient beside it, whose sound goes to a file."""

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
        """Starts a program within the box: with its host name, and in its network."""
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
        """Starts its snapclient."""
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

    def shows(self, *texts, seconds=15):
        wait_for(f"{self.name}: its display shows {', '.join(texts)}",
                 lambda: all(any(text in row for row in self.rows()) for text in texts), seconds)

    def level(self, seconds=0.6):
        """How loud the last of its sound is; its snapclient writes in real time."""
        time.sleep(seconds)
        with open(self.sound, "rb") as file:
            size = os.stat(self.sound).st_size
            file.seek(max(0, size - PIECE // 4) // 4 * 4)
            return Radio.level(file.read())

    def is_heard(self, seconds=15):
        wait_for(f"{self.name}: sound comes", lambda: self.level() > 50, seconds)

    def is_quiet(self, seconds=15):
        wait_for(f"{self.name}: it is silent", lambda: self.level() == 0, seconds)


def begin_server(stage, kitchen):
    """snapserver with the repository's settings, the pipe where tmpfiles.d makes it, and the radio's control script."""
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
    """What a box tells of a room: volume, muted, connected."""
    lines = dict(line.split(": ", 1) for line in box.ask(f"radio_room {name}") if ": " in line)
    return lines.get("volume"), lines.get("muted"), lines.get("connected")


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
    check([kitchen.value("state"), bath.value("state")] == ["playing", "stopped"],
          "the kitchen plays, the rooms have no radio")

    print("-- what each shows")
    kitchen.shows("One")
    for box in rooms:
        box.shows("One", f"{box.name} ", "100 %", seconds=60)
        box.is_heard()
    kitchen.is_heard()

    print("-- the knob of each")
    bath.does("radio_turn -10")
    wait_for("the kitchen sees the bath at 80", lambda: room(kitchen, "bath") == ("80", "0", "1"))
    bedroom.does("radio_turn -20")
    wait_for("the bath sees the bedroom at 60", lambda: room(bath, "bedroom") == ("60", "0", "1"))
    check(room(bedroom, "bath") == ("80", "0", "1"), "the bath stays at 80")
    kitchen.does("radio_turn 1")
    kitchen.shows("Two")
    for box in rooms:
        box.shows("Two", f"{box.name} ", seconds=30)

    print("-- the mute of each")
    bath.does("radio_press knob")
    bath.is_quiet()
    bath.shows("MUTE")
    check(room(kitchen, "bath")[1] == "1" and bedroom.level() > 50, "the bath alone is muted")
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
    # The rooms stand in the order in which they came.
    wait_for("the cursor reaches the bath",
             lambda: any(row.startswith("→bath") for row in kitchen.rows()) or not kitchen.ask("radio_turn 1"))
    kitchen.does("radio_press select", "radio_turn -5")
    wait_for("the bath is at 70", lambda: bath.value("volume") == "70")
    kitchen.does("radio_press select")
    bath.is_quiet()
    kitchen.does("radio_press select")
    bath.is_heard()
    kitchen.does("stop")
    bath.is_quiet()
    for box in rooms:
        wait_for(f"{box.name}: it knows that nothing plays", lambda box=box: box.value("stream_playing") == "0")
    kitchen.does("play")
    bath.is_heard()

    print("-- what goes away")
    subprocess.run(["ip", "-n", "bedroom", "link", "set", "eth", "down"], check=True)
    bedroom.does("radio_turn -1")
    bedroom.shows("Snapserver is gone", seconds=20)
    check(bath.level() > 50, "the bath plays on")
    subprocess.run(["ip", "-n", "bedroom", "link", "set", "eth", "up"], check=True)
    wait_for("the bedroom is back", lambda: bedroom.value("room_connected") == "1", 60)
    bedroom.is_heard(30)
    server.end(9)
    for box in rooms:
        box.shows("Snapserver is gone")
    begin_server(stage, kitchen)
    for box in rooms:
        wait_for(f"{box.name}: its room is back", lambda box=box: box.value("room_connected") == "1", 40)
    for box in boxes:
        box.is_heard(30)
    bath.client.end(9)
    bath.shows("Snapclient is gone")
    bath.listen()
    bath.is_heard(30)
    check(kitchen.value("underruns") == "0", "the radio had no underrun")
    for box in boxes:
        check(box.daemon.end() == 0, f"{box.name}: its box ends with code 0")


def main():
    programs = ["snapserver", "snapclient", "unshare", "ip"]
    if os.geteuid() != 0:
        return print("SKIPPED three boxes: they need networks of their own; run it as root.")
    if any(not shutil.which(name) for name in programs):
        return skip("three boxes", "apt-get install snapserver snapclient iproute2")
    if "BAKELITE_PRIVATE" not in os.environ:
        os.environ["BAKELITE_PRIVATE"] = "1"
        os.execvp("unshare", ["unshare", "-n", "-m", "-p", "-f", "--kill-child", "--mount-proc", sys.executable,
                              *sys.argv])
    # The kitchen's network is this one, with the bridge.
    subprocess.run(
        "mount -t tmpfs none /run && mkdir /run/bakelite-snapcast && mkfifo /run/bakelite-snapcast/feed"
        " && ip link set lo up && ip link add house type bridge"
        f" && ip addr add {SERVER}/24 dev house && ip link set house up", shell=True, check=True)
    for number, name in enumerate(ROOMS, 2):
        subprocess.run(
            f"ip netns add {name} && ip link add {name} type veth peer name eth netns {name}"
            f" && ip link set {name} master house up && ip -n {name} addr add 10.9.0.{number}/24 dev eth"
            f" && ip -n {name} link set eth up && ip -n {name} link set lo up", shell=True, check=True)
    stage = Stage(sys.argv[1])
    try:
        drive(stage)
    finally:
        stage.close()
    finish()


if __name__ == "__main__":
    main()
