#!/usr/bin/env python3
"""Tests the arm64 radio on the virtual board, by its knob and buttons (N6).

test.py PARTS

PARTS is the folder that `build` made.
"""
import array
import pathlib
import subprocess
import sys
import tempfile
import time

from display import alike, golden
from machine import Machine
from station import FOUND, LAP, SONG, Station

SCREENS, FRAME, SECOND = golden(), 4, 4 * 44_100
LAP_SECONDS = len(LAP) / 16_000


def main():
    parts = pathlib.Path(sys.argv[1])
    station = Station()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        disk = make_disk(folder)
        board = Machine(parts, folder, station.server_address[1], disk)
        try:
            play(board)
            switch_off(board, station)
        finally:
            board.quit()
        print(f"The first sample was captured {board.first_sound:.1f} s after the kernel's start.")
        check_sound(board.sound.read_bytes()[44:], reference(parts, folder))
        check_recording(disk, folder)
    print("The virtual board passed.")


def make_disk(folder):
    """Creates the empty data disk."""
    disk = folder / "data.img"
    with open(disk, "wb") as file:
        file.truncate(256 << 20)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", disk], check=True)
    return disk


def emulated(parts):
    """Returns the command that runs the arm64 program on this machine."""
    return ["qemu-aarch64-static", "-L", parts / "root", parts / "root/usr/bin/bakelite"]


def shows(name):
    return lambda rows: alike(rows, SCREENS[name])


def behind(rows):
    """Returns the seconds behind live in the display's corner, or None if the corner shows none."""
    last = (rows[3].split() or [""])[-1]
    minutes, _, seconds = last.partition(":")
    return int(minutes[1:]) * 60 + int(seconds) if last.startswith("-") and seconds.isdigit() else None


def play(board):
    board.wait("The board boots and plays.", lambda rows: rows[0].startswith("▶ Radio Paradise"), 240)
    board.turn(2)
    board.wait("The knob selects a station …", lambda rows: rows[1].startswith("→ 3 Deutschlandfunk"))
    board.wait("… and the station plays.", lambda rows: shows("playing")(rows) and rows[3].startswith("█" * 10))
    board.press("knob", 1.2)
    board.wait("A long press switches the knob to volume.", shows("knob mode"))
    board.turn(40)
    board.wait("The volume is full.", lambda rows: rows == SCREENS["full volume"])
    board.press("knob", 1.2)
    board.press("knob", 1.2)
    board.wait("The station plays.", shows("playing"))
    rest(board, 15)
    board.press("play")
    board.wait("A press pauses …", shows("paused"))
    rest(board, 3)
    board.press("play")
    board.wait("… and the next one resumes behind live.", shows("playing, behind"))
    rest(board, 12)
    board.press("forward", 1.2)
    board.wait("A long press returns to live.", shows("time shift, live"))
    board.wait("The station plays.", shows("playing"))
    rest(board, 12)
    for _ in range(3):
        board.press("rewind")
    board.wait("Three presses go back …", shows("time shift"))
    board.wait("… by half a minute.", lambda rows: shows("playing, behind")(rows) and 29 <= (behind(rows) or 0) <= 33)
    rest(board, 12)
    board.press("preset", 1.2)
    board.wait("A long press opens the menu.", shows("menu"))
    board.press_record()
    board.wait("The recording runs.", shows("recording"))
    rest(board, 8)
    board.press("preset", 1.2)
    board.wait("The menu opens again.", lambda rows: rows[0].startswith("→Find stations"))
    board.press_record()
    board.wait("The recording has ended.", shows("playing, behind"))
    find(board)


def find(board):
    """Adds a found station to the presets with the knob. Without a time zone table, the board asks for the country."""
    board.press("preset", 1.2)
    board.wait("The menu opens a third time.", lambda rows: rows[0].startswith("→Find stations"))
    board.press("knob")
    board.wait("A press lists the places to find stations.", lambda rows: rows[1].startswith("→Near me"))
    board.press("knob")
    board.wait("The country is requested.", lambda rows: rows[0].startswith("Which country?") and "Germany" in rows[1])
    board.press("knob")
    board.wait("The display lists the country's stations.", lambda rows: rows[1].startswith("→Antenne Nord"))
    board.turn(1)
    board.wait("A turn selects the next station.", lambda rows: rows[2].startswith("→Found FM"))
    board.press("knob")
    board.wait("A press plays the station.", lambda rows: rows[2].startswith("→Found FM") and rows[2].endswith("▶"))
    board.press("knob", 1.2)
    board.wait("A long press saves the station.", lambda rows: "Preset 13: Found FM" in rows[1])
    # The drift compensator changes the samples of the first 11 s.
    rest(board, 25)


def switch_off(board, station):
    """Switches the radio off and on by its buttons, in three states. A radio that is off requests nothing (I1)."""
    def plays(rows):
        return rows[0].startswith("▶ ")

    for state in ("playing", "paused", "given up"):
        if state == "paused":
            board.press("play")
            board.wait("A press pauses.", lambda rows: rows[0].startswith("⏸ "))
        elif state == "given up":
            station.is_gone = True
            board.turn(1)
            board.wait("The next station does not exist.", lambda rows: "Retry" in "".join(rows))
        board.press("play", 1.2)
        board.wait(f"A long press switches off: {state}.", lambda rows: "20 November" in rows[0])
        count = len(station.paths)
        # A given-up radio tries again after 60 s.
        rest(board, 70 if state == "given up" else 5)
        assert len(station.paths) == count, f"requests while off: {station.paths[count:]}"
        assert "20 November" in board.rows()[0], "the radio is still off"
        station.is_gone = False
        board.press("play")
        board.wait("A press plays again.", plays)


def rest(board, seconds):
    """Plays for some seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        board.rows()
        time.sleep(0.1)


def reference(parts, folder):
    """Returns the arm64 decoder's PCM of the station. The radio writes 32 bits; QEMU keeps the upper 16."""
    (folder / "song.mp3").write_bytes(SONG)
    subprocess.run([*emulated(parts), "play", folder / "song.mp3", "--output", f"raw:{folder}/song.pcm", "--pace",
                    "free", "--format", "s32le/44100/2"], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    samples = array.array("i", (folder / "song.pcm").read_bytes())
    return array.array("h", (sample >> 16 for sample in samples)).tobytes()


def length_of_same(captured, pcm, at, place):
    """Returns the number of equal bytes from a position on."""
    length, width = 0, 1 << 20
    while width >= FRAME:
        part = captured[at + length:at + length + width]
        if len(part) == width and part == pcm[place + length:place + length + width]:
            length += width
        else:
            width //= 2
    return length


def stretches(captured, pcm):
    """Yields the captured parts that equal the station's PCM: start, end, and position in the PCM, in seconds."""
    at, step = 0, SECOND // 4
    while at + step < len(captured):
        probe = captured[at:at + 2_048]
        place = pcm.find(probe) if len(set(probe)) > 16 else -1
        if place < 0 or place % FRAME:
            at += step
            continue
        length = length_of_same(captured, pcm, at, place)
        yield at / SECOND, (at + length) / SECOND, place / SECOND
        at += length + FRAME


def check_sound(captured, pcm):
    long = [stretch for stretch in stretches(captured, pcm) if stretch[1] - stretch[0] > 8]
    for begin, end, place in long:
        print(f"{begin:6.2f} … {end:6.2f} s are the station's sound from {place:6.2f} s on, bit for bit.")
    assert len(long) == 5, "expected five: before the pause, after the pause, live, 30 s back, and the found station"
    (_, _, _), (_, _, _), (begin, end, place), (next_begin, _, next_place), _ = long
    back = place + next_begin - begin - next_place
    assert 29 < back % LAP_SECONDS < 33, f"the rewind was {back:.1f} s"


def check_recording(disk, folder):
    # The board was switched off without an unmount.
    subprocess.run(["e2fsck", "-fy", disk], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run(["debugfs", "-R", f"rdump /recordings {folder}", disk], stderr=subprocess.DEVNULL, check=True)
    files = sorted((folder / "recordings").glob("*.mp3"))
    assert len(files) == 1, files
    bytes_ = files[0].read_bytes()
    assert len(bytes_) > 4 * 16_000 and bytes_ in LAP + LAP, f"{files[0]} differs from the data of the station"
    print(f"{files[0].name}: {len(bytes_)} bytes, identical to the data of the station.")
    subprocess.run(["debugfs", "-R", f"rdump /state {folder}", disk], stderr=subprocess.DEVNULL, check=True)
    owner = (folder / "state/owner.toml").read_text()
    assert 'name = "Found FM"' in owner and f'directory_id = "{FOUND}"' in owner, owner


main()
