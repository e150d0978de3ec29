#!/usr/bin/env python3
"""Plays from servers that behave as real ones do, family by family, and compares what is heard.

Each member is a small server with its expected result. Eight members run at a time, each in its own process.
Usage: families.py BAKELITE [FAMILY,...]; --show prints events, messages and requests; --name TEXT selects members.
The second table counts the requests of each family and its requests in a minute of its members.
"""
import argparse
import collections
import concurrent.futures
import importlib.util
import multiprocessing
import os
import pathlib
import sys
import tempfile
import time
import traceback

import kit

# Modules without members.
OTHERS = ("exact", "families", "kit")
ATONCE = 8


def discover():
    """Imports the modules with members."""
    for path in sorted(kit.FOLDER.glob("*.py")):
        if path.stem not in OTHERS:
            # By path: Bench has modules with some of these names.
            spec = importlib.util.spec_from_file_location(f"families_{path.stem}", path)
            spec.loader.exec_module(importlib.util.module_from_spec(spec))


def measure(index, binary, folder, shown):
    """Runs a member. -> (heard, faults, number of requests, seconds)"""
    member = kit.MEMBERS[index]
    place = folder / f"member-{index}"
    place.mkdir()
    run = kit.Run(binary, place, kit.Material(folder), shown)
    began = time.monotonic()
    try:
        member.call(run)
    except Exception:  # A fault of one member must not end the others.
        run.faults.append(traceback.format_exc().strip().replace("\n", " | "))
    return str(run), run.faults, run.request_count, time.monotonic() - began


def select(families, name):
    numbers = {int(word) for word in families.split(",")} if families else None
    return [index for index, member in enumerate(kit.MEMBERS)
            if (not numbers or member.family in numbers) and name in member.name]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("families", nargs="?", default="")
    parser.add_argument("--name", default="")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    binary = pathlib.Path(os.environ.get("BAKELITE") or options.binary).resolve()
    if missing := kit.has_programs():
        sys.exit(f"families: needs Debian's packages {' '.join(missing)}")
    discover()
    chosen = select(options.families, options.name)
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="families-") as name:
        folder = pathlib.Path(name)
        kit.Material(folder).make()
        print("| family | member | expected | heard | ok |\n|---:|---|---|---|---|", flush=True)
        failed = report(chosen, binary, folder, options.show)
    print(f"{len(chosen)} members, {failed} failed")
    sys.exit(1 if failed else 0)


def report(chosen, binary, folder, shown):
    """Prints a row for each member when it is measured. -> number of failures"""
    failed, faults, loads = 0, [], collections.defaultdict(lambda: [0, 0.0])
    fork = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(1 if shown else ATONCE, fork, max_tasks_per_child=None) as pool:
        tasks = {pool.submit(measure, index, binary, folder, shown): index for index in chosen}
        for task in concurrent.futures.as_completed(tasks):
            member = kit.MEMBERS[tasks[task]]
            heard, wrong, requests, seconds = task.result()
            print(f"| {member.family} | {member.name} | {member.expected} | {heard} | {'no' if wrong else 'yes'} |",
                  flush=True)
            faults += [f"{member.family} {member.name}: {fault}" for fault in wrong]
            failed += bool(wrong)
            loads[member.family][0] += requests
            loads[member.family][1] += seconds
    if faults:
        print("\n" + "\n".join(faults))
    report_loads(loads)
    return failed


def report_loads(loads):
    """Prints the requests of each family."""
    print("\n| family | requests | seconds | requests a minute |\n|---:|---:|---:|---:|")
    for family, (requests, seconds) in sorted(loads.items()):
        print(f"| {family} | {requests} | {seconds:.0f} | {60 * requests / seconds:.1f} |")
    print()


main()
