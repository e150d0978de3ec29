#!/usr/bin/env python3
"""Boots the card's image in QEMU, cuts its power repeatedly, and checks that it restarts (D11).

test.py IMAGE PARTS CUTS

PARTS is the folder that image/board/build made: the image runs on that board, with the image's kernel and initramfs.
Before the first boot, the test changes settings on the boot partition, like an owner on another computer.
"""
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

from card import CARD_MIB, GUEST, Card
from page import Page, free_port

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "board"))
from machine import Machine
from station import LAP, Station

NAMES = re.findall(r'^name = "(.*)"', (GUEST / "stations.toml").read_text(), re.MULTILINE)


def station_of(rows):
    """Returns the station that the panel shows as playing, or None."""
    told = rows[0][2:].rstrip()
    return next((name for name in NAMES if rows[0].startswith("▶") and shows(told, name)), None)


def shows(told, name):
    """Returns true if the display shows the name, or a part of a long name. Letters outside ASCII may differ."""
    parts = [name[start:start + 18] for start in range(max(1, len(name) - 17))]
    return any(len(told) == len(part) and all(
        letter == shown or not letter.isascii() for letter, shown in zip(part, told)) for part in parts)


def check_recordings(card):
    """Checks that the recordings left by a power cut are parts of the station's data. Returns their number."""
    data, size = card.data()
    subprocess.run(["e2fsck", "-fy", data], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    left = card.folder / "left"
    shutil.rmtree(left, ignore_errors=True)
    left.mkdir()
    subprocess.run(["debugfs", "-R", f"rdump /bakelite/recordings {left}", data], stderr=subprocess.DEVNULL, check=True)
    files = sorted(left.glob("recordings/*.mp3"))
    for file in files:
        assert file.read_bytes() in LAP * 3, f"{file.name} differs from the data of the station"
    assert size > (CARD_MIB - 1_500) << 20, "the data partition does not fill the card"
    return len(files)


def use(board, chance, station):
    """Selects another station and records it. Returns the stations that a later boot may play."""
    steps = chance.choice([1, 2, 3])
    board.turn(steps)
    chosen = NAMES[(NAMES.index(station) + steps) % len(NAMES)]
    board.wait("Another station plays.", lambda rows: station_of(rows) == chosen, 120)
    board.press("preset", 1.2)
    board.wait("The menu opens.", lambda rows: rows[0].startswith("→Find stations"), 120)
    board.press_record()
    board.wait("The recording runs.", lambda rows: any("●" in row for row in rows), 120)
    return {station, chosen}


def main():
    image, parts, cuts = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3])
    station, seed, recorded, page = Station(), random.getrandbits(32), 0, Page(free_port())
    print(f"seed {seed}")
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        card, allowed = Card(image, pathlib.Path(folder)), {"Radio Paradise"}
        card.settle("[web]\nenabled = true\n")
        for number in range(cuts + 1):
            board = Machine(parts, folder, station.server_address[1], card.path, card.boot, page.port)
            board.pace = 0.1
            try:
                if number == 0:
                    page.sign_in(board)
                rows = board.wait(f"Boot {number + 1} ends in sound.", station_of, 600)
                assert station_of(rows) in allowed, f"the board plays {station_of(rows)}, which is not among {allowed}"
                board.wait("The first sample arrives.", lambda _: board.first_sound is not None)
                page.wait("/health", 200)
                print(f"The first sample was captured {board.first_sound:.1f} s after the kernel's start.", flush=True)
                if number < cuts:
                    allowed = use(board, chance, station_of(rows))
                    time.sleep(chance.random() * 12)
            finally:
                board.kill()
            recorded = check_recordings(card)
    print(f"{cuts} power cuts: station and web panel always returned; {recorded} recordings are undamaged.")


main()
