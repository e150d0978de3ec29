#!/usr/bin/env python3
"""Lists the functions of a start for the linker, which places them in neighbouring pages.

order.py BAKELITE BAKELITED LIST     LIST: the file to write, one mangled name in a line.

callgrind records each function that runs while `bakelite play` and the box, with its panel in a terminal, start and play
MP3 by HTTP for some seconds. The list is sorted, so that a later one differs little. The linker ignores a name that a
program does not contain.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

from box import STILL, Box, Station
from players import stripped

SECONDS = 5
# The longest name. Longer ones are few, and would make up much of the list.
LONGEST = 400


def profiler(profile):
    return ["valgrind", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={profile}"]


def executed(profile, program):
    """-> the program's own functions in a profile"""
    # callgrind numbers the calls of a cycle: name'2.
    ran = {name.partition("'")[0] for name in re.findall(r"^c?fn=\(\d+\) (\S+)", profile.read_text(), re.M)}
    symbols = subprocess.run(["nm", "--format=posix", program], check=True, capture_output=True, text=True).stdout
    return {line.split()[0] for line in symbols.splitlines() if line.split()[1] in "tTwW"} & ran


def played(program, folder):
    station, profile = Station(STILL), folder / "play"
    subprocess.run([*profiler(profile), program, "play", station.url, "--output", "null", "--duration", str(SECONDS)],
                   check=True, capture_output=True)
    return executed(profile, program)


def boxed(program, folder):
    profile = folder / "box"
    box = Box(program, folder, [Station(STILL)], profiler(profile))
    box.memory()
    return executed(profile, program)


def main(bakelite, bakelited, place):
    names = set()
    for measure, binary in ((played, bakelite), (boxed, bakelited)):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            found = measure(stripped(binary, folder), folder)
            print(f"{pathlib.Path(binary).name}: {len(found)} functions")
            names |= found
    lines = sorted(name for name in names if len(name) <= LONGEST)
    pathlib.Path(place).write_text("".join(f"{name}\n" for name in lines))
    print(f"{place}: {len(lines)} functions")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
