#!/usr/bin/env python3
"""Controls the simulated panel in tmux by its keys, and prints its screens.

panel.py BAKELITED
"""
import os
import pathlib
import shutil
import subprocess
import sys

from stage import ROOT, Stage, Wire, check, finish, skip, wait_for


class Panel:
    """A box in its own terminal."""

    def __init__(self, stage, binary):
        self.folder, self.screens = stage.folder, []
        self.socket = stage.folder / "socket"
        (stage.folder / "bakelite.toml").write_text(
            f'timezone = "Europe/Berlin"\n[state]\npath = "{stage.folder}"\n[control]\nsocket = "{self.socket}"\n'
            f'[directory]\npath = "{stage.folder}/directory"\n')
        (stage.folder / "stations.toml").write_text("\n".join(
            f'[[station]]\nname = "{name}"\nurl = "{url}"\n'
            for name, url in [("Kitchen FM", stage.mp3), ("Workshop", stage.aac),
                              ("Gone", f"http://127.0.0.1:{stage.port}/gone")]))
        command = (f"{binary} --config {stage.folder}/bakelite.toml --boards {ROOT}/boards --board simulated "
                   f"--output null; echo \"ended with $?\"; sleep 60")
        environment = {**os.environ, "TERM": "screen", "LANG": "C.UTF-8"}
        subprocess.run(["tmux", "-L", "bakelite", "-f", "/dev/null", "new-session", "-d", "-s", "p", "-x", "80", "-y",
                        "24", command], env=environment, check=True)

    def tmux(self, *words):
        return subprocess.run(["tmux", "-L", "bakelite", *words], capture_output=True, text=True, timeout=20).stdout

    def screen(self):
        return self.tmux("capture-pane", "-p", "-t", "p").rstrip()

    def press(self, *keys):
        self.tmux("send-keys", "-t", "p", *keys)

    def shows(self, what, *words):
        """Waits for words on the display and stores the screen."""
        wait_for(what, lambda: all(word in self.screen() for word in words), 20)
        self.screens.append((what, self.screen()))

    def value(self, key):
        """Returns the response to `radio_status`."""
        lines = [line.split(": ", 1) for line in Wire(self.socket).ask("radio_status")]
        return dict(line for line in lines if len(line) == 2).get(key, "")

    def number(self, key):
        return float(self.value(key) or 0)


def make_directory(stage, binary):
    """Creates a copy of the station directory, like `bakelite find --update`."""
    rows = [("Antenne Nord", stage.mp3, 900), ("Found FM", f"http://localhost:{stage.port}/bakelite-demo.mp3", 500),
            ("Dead FM", f"http://127.0.0.1:{stage.port}/dead", 999)]
    lines = ["stationuuid,name,url,tags,country,countrycode,votes,codec,bitrate,hls,lastcheckok"]
    lines += [f"960cf833-0601-11e8-ae97-52543be0000{place},{name},{url},pop,Germany,DE,{votes},MP3,128,0,"
              f"{int(name != 'Dead FM')}" for place, (name, url, votes) in enumerate(rows)]
    (stage.folder / "list.csv").write_text("\n".join(lines) + "\n")
    subprocess.run([binary.parent / "DirectoryBench", "build", stage.folder / "list.csv", stage.folder / "directory",
                    "http://127.0.0.1/"], check=True, stdout=subprocess.DEVNULL)


def find(panel, stage, binary):
    """Uses Find up to a stored preset. Enter is a press of the knob, Tab a long press."""
    panel.press("m", "Enter")
    panel.shows("without a directory it says what to do", "No directory yet", "--update")
    make_directory(stage, binary)
    panel.press("m", "Enter")
    panel.shows("the directory is found as soon as it is there", "Find stations", "→Near me", "Popular")
    panel.press("Enter")
    panel.shows("stations of one's own country, dead ones last", "Near me", "1/3", "→Antenne Nord", "Dead FM", "x")
    panel.press("Down")
    panel.shows("the next one", "→Found FM", "2/3")
    panel.press("Enter")
    wait_for("a press plays it", lambda: panel.value("station") == "Found FM" and panel.value("state") == "playing")
    panel.shows("and says so behind its name", "→Found FM", "▶")
    panel.press("Tab")
    panel.shows("a hold keeps it", "Preset 4: Found FM")
    owner = (panel.folder / "owner.toml").read_text()
    check('name = "Found FM"' in owner and 'directory_id = "960cf833-0601-11e8-ae97-52543be00001"' in owner,
          "it stands in owner.toml, with its id")
    panel.shows("the list is back", "→Found FM", "2/3")
    panel.press("Enter")
    panel.shows("a second press leaves the lists", "▶ Found FM")


def drive(panel):
    panel.shows("it plays the first station", "Kitchen FM", "▶")
    panel.press("Down")
    panel.shows("the knob shows the stations", "→2 Workshop")
    wait_for("and tunes", lambda: panel.value("codec").startswith("AAC") and panel.value("state") == "playing")
    panel.press("Up")
    wait_for("back again", lambda: panel.value("codec") == "MP3" and panel.value("state") == "playing")
    wait_for("half a minute and more is held", lambda: panel.number("position") > 35, 60)
    panel.press("Space")
    panel.shows("space pauses", "⏸ Kitchen FM")
    check(panel.value("state") == "paused", "and nothing sounds")
    panel.press("Space")
    wait_for("space plays on", lambda: panel.value("state") == "playing")
    before = panel.number("timeshift")
    panel.press("Left", "Left", "Left")
    wait_for("three times left is half a minute back", lambda: 28 < panel.number("timeshift") - before < 33)
    panel.shows("and is shown", "Time shift")
    panel.press("l")
    wait_for("l is live again", lambda: panel.number("timeshift") < before + 3)
    panel.press("+")
    panel.shows("+ is louder", "Volume")
    check(panel.value("volume") == "32", "by two")
    panel.press("m")
    panel.shows("m is the menu", "→Find stations", "Sleep")
    panel.press("m")
    panel.press("3")
    panel.shows("a station that is gone is said to be", "Gone", "not found")


def main():
    if not shutil.which("tmux"):
        return skip("the panel in tmux", "apt-get install tmux")
    binary = pathlib.Path(sys.argv[1]).resolve()
    stage = Stage(binary.parent / "bakelite")
    panel = Panel(stage, binary)
    try:
        drive(panel)
        if (binary.parent / "DirectoryBench").exists():
            find(panel, stage, binary)
        else:
            skip("finding stations", "swift build -c release --product DirectoryBench")
        panel.press("o")
        wait_for("o is standby", lambda: panel.value("state") == "stopped")
        panel.press("C-c")
        wait_for("Ctrl-C ends it", lambda: "ended with 0" in panel.screen() and "0 underruns" in panel.screen())
    finally:
        panel.tmux("kill-server")
        stage.close()
    for what, screen in panel.screens:
        print(f"\n{what}:\n{screen}")
    check(len(panel.screens) >= 6, "every screen was seen")


main()
finish()
