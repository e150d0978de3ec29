#!/usr/bin/env python3
"""Boots the card's image in QEMU, cuts its power over and over, and looks whether it comes back: test.py IMAGE PARTS CUTS

PARTS is the folder that image/board/build made: the image runs on that board, with its own kernel and first root. What
an owner does on another computer is done first: the boot partition gets other settings.
"""
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "board"))
from machine import Machine
from station import LAP, Station

GUEST = HERE.parent / "board/guest"
BOOT, DATA = "4M", 3
CARD_MIB = 4096
STATIONS = 12


def copy(*words):
    """mtools on the boot partition."""
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


class Card:
    """A card of 4 GB with the image on it, and its owner's settings."""

    def __init__(self, image, folder):
        self.path, self.folder = folder / "card.img", folder
        subprocess.run(["cp", "--sparse=always", image, self.path], check=True)
        with open(self.path, "r+b") as file:
            file.truncate(CARD_MIB << 20)
        place = f"{self.path}@@{BOOT}"
        for name in ["vmlinuz", "initrd.img", "cmdline.txt"]:
            copy("mcopy", "-i", place, f"::{name}", folder / name)
        # As a text editor on another computer does it. What is remembered goes where the image keeps it.
        settings = (GUEST / "bakelite.toml").read_text().split("[state]")[0]
        (folder / "bakelite.toml").write_text(settings)
        copy("mcopy", "-o", "-i", place, folder / "bakelite.toml", GUEST / "stations.toml", "::")
        copy("mcopy", "-o", "-i", place, GUEST / "virtual.toml", "::boards/")
        words = (folder / "cmdline.txt").read_text().strip()
        self.boot = folder / "vmlinuz", folder / "initrd.img", words + " systemd.journald.forward_to_console=0"

    def data(self):
        """A copy of the data partition, in a file."""
        told = subprocess.run(["sfdisk", "--dump", self.path], check=True, capture_output=True, text=True).stdout
        line = [line for line in told.splitlines() if line.startswith(f"{self.path}{DATA}")][0]
        start, size = (int(line.split(word)[1].split(",")[0]) for word in ("start=", "size="))
        data = self.folder / "data.img"
        subprocess.run(["dd", f"if={self.path}", f"of={data}", "bs=512", f"skip={start}", f"count={size}",
                        "conv=sparse", "status=none"], check=True)
        return data, size * 512


def station_of(rows):
    """The station that the panel says it plays."""
    return rows[0][2:].split("  ")[0].strip() if rows[0].startswith("▶") else None


def check_recordings(card):
    """What is left of them after a cut: parts of what the station sent."""
    data, size = card.data()
    subprocess.run(["e2fsck", "-fy", data], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    left = card.folder / "left"
    shutil.rmtree(left, ignore_errors=True)
    left.mkdir()
    subprocess.run(["debugfs", "-R", f"rdump /bakelite/recordings {left}", data], stderr=subprocess.DEVNULL, check=True)
    files = sorted(left.glob("recordings/*.mp3"))
    for file in files:
        assert file.read_bytes() in LAP * 3, f"{file.name} is not what the station sent"
    assert size > (CARD_MIB - 1500) << 20, "the data partition has grown to what the card has"
    return files


def main():
    image, parts, cuts = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3])
    station, chance, seed = Station(), random.Random(), random.getrandbits(32)
    chance.seed(seed)
    print(f"seed {seed}")
    with tempfile.TemporaryDirectory() as folder:
        card = Card(image, pathlib.Path(folder))
        allowed, recordings = {"Radio Paradise"}, 0
        for number in range(cuts + 1):
            board = Machine(parts, folder, station.server_address[1], card.path, card.boot)
            try:
                rows = board.wait(f"Boot {number + 1} ends in sound.", lambda rows: station_of(rows), 600)
                assert station_of(rows) in allowed, f"it plays {station_of(rows)}, not one of {allowed}"
                print(f"The first sample was captured {board.first_sound or 0:.1f} s after the kernel's start.", flush=True)
                if number < cuts:
                    allowed = use(board, chance, station_of(rows))
                    time.sleep(chance.random() * 12)
            finally:
                board.kill()
            if number == 0 or number == cuts:
                recordings = len(check_recordings(card))
        print(f"{cuts} cuts: it always came back to its station; {recordings} recordings are whole to where they end.")


def use(board, chance, station):
    """Chooses another station and records it; -> what may be remembered then."""
    board.turn(chance.choice([1, 2, 3]))
    rows = board.wait("Another station plays.", lambda rows: station_of(rows) not in (None, station), 60)
    board.press("preset", 1.2)
    board.turn(1)
    board.press("knob")
    board.wait("It records.", lambda rows: any("●" in row for row in rows), 60)
    return {station, station_of(rows)}


main()
