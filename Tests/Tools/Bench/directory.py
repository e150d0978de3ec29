#!/usr/bin/env python3
"""Measures the station directory with 40,000 and 400,000 generated stations: file size, and time and memory of
creation and searches. Usage: directory.py DIRECTORY-BENCH [LIST.csv …]"""
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

COUNTS = (40_000, 400_000)
# Limits for 40,000 stations. Memory is relative to an idle program.
SIZE, BUILD_KIB, SEARCH_MS, SEARCH_KIB = 8_000_000, 8 * 1024, 30, 2 * 1024

QUERIES = {
    "r": "one letter",
    "radio": "a frequent word",
    "jazz germany": "two words",
    "hitradio 88": "a word and a number",
    "jaz germny": "two misspelled words",
    "xqzwvt": "a word without a match",
    "country=DE": "a country",
    "letters": "first and third letters of names",
    "names": "names with a first letter",
    "countries": "the list of countries",
    "tags": "a country's tags",
    "moved": "a station by name and by address",
}


def run(*command):
    """-> output, maximum anonymous memory, and its minimum at the start, in KiB"""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    seen = []
    while process.poll() is None:
        try:
            with open(f"/proc/{process.pid}/status") as status:
                seen += [int(line.split()[1]) for line in status if line.startswith("RssAnon")]
        except (OSError, ProcessLookupError):
            pass
        time.sleep(0.0005)
    text = process.stdout.read()
    if process.returncode:
        sys.exit(f"{command[0]} failed: {text}")
    return text, max(seen, default=0)


def number(text, word):
    return float(re.search(rf"\b{word} ([\d.e+-]+)", text)[1])


def measure(program, name, path, folder):
    """-> the faults"""
    file = folder / "directory"
    text, peak = run(program, "build", path, file)
    _, idle = run(program, "idle")
    count, size = int(number(text, "stations")), int(number(text, "bytes"))
    print(f"\n{name}: {count:,} stations")
    print(f"  file {size:,} bytes, {size / count:.0f} a station")
    print(f"  read the list in {number(text, 'read'):.2f} s, wrote the file in {number(text, 'write'):.2f} s, "
          f"{peak - idle:,} KiB more memory than an idle program")
    text, peak = run(program, "search", file, *QUERIES)
    print(f"  opened in {number(text, 'open'):.1f} ms; all searches use {peak - idle:,} KiB more")
    slowest = 0
    for line in text.splitlines():
        if match := re.match(r'query "(.*)" ms ([\d.e+-]+) total (\d+)', line):
            slowest = max(slowest, float(match[2]))
            print(f"  {float(match[2]):8.3f} ms  {match[1]}: {QUERIES[match[1]]}, {int(match[3]):,} found")
    if count > 50_000:
        return []
    checks = {
        f"a file of {size:,} bytes": size <= SIZE, f"{slowest:.1f} ms for a search": slowest <= SEARCH_MS,
        f"{peak - idle:,} KiB for searches": peak - idle <= SEARCH_KIB,
    }
    return [what for what, holds in checks.items() if not holds]


def kill(program, path, folder, times=30):
    """Kills a program at random times while it creates a directory. -> the faults"""
    file = folder / "killed"
    small = folder / "small.csv"
    run(program, "list", "csv", "100", small)
    run(program, "build", small, file)
    start = time.monotonic()
    run(program, "build", path, folder / "other")
    whole, ends = time.monotonic() - start, {}
    for turn in range(times):
        process = subprocess.Popen([program, "build", path, file], stdout=subprocess.DEVNULL)
        time.sleep(random.Random(turn).uniform(0, 1.1 * whole))
        process.kill()
        process.wait()
        text, _ = run(program, "search", file)
        count = int(number(text, "stations"))
        ends[count] = ends.get(count, 0) + 1
        if count > 100:
            run(program, "build", small, file)
    left = sorted(p.name for p in folder.iterdir() if p.name.startswith(".killed"))
    print(f"\nkilled {times} times while creating a directory: " + ", ".join(
        f"{n} times {count:,} stations" for count, n in sorted(ends.items()))
        + f"; remaining temporary files: {', '.join(left) or '-'}")
    return [] if set(ends) <= {100, COUNTS[0]} and len(left) <= 1 else [f"a directory of {sorted(ends)} stations after a kill"]


def main(program, lists):
    wrong = []
    with tempfile.TemporaryDirectory(dir="/var/tmp") as place:
        folder = pathlib.Path(place)
        for count in COUNTS:
            for form in ("csv", "xml"):
                if form == "xml" and count > COUNTS[0]:
                    continue
                path = folder / f"{count}.{form}"
                run(program, "list", form, str(count), path)
                wrong += measure(program, f"{form.upper()} of {path.stat().st_size:,} bytes", path, folder)
        wrong += kill(program, folder / f"{COUNTS[0]}.csv", folder)
        for path in lists:
            wrong += measure(program, path, path, folder)
    for what in wrong:
        print(f"directory: failed: {what}")
    sys.exit(1 if wrong else 0)


main(sys.argv[1], sys.argv[2:])
