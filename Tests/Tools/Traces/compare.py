#!/usr/bin/env python3
"""Compares recorded events of the tests before and after a change that a listener must not notice.

compare.py OLD…              shows which tests had the same events in all runs
compare.py OLD… -- NEW…      compares; exit code 1 if a test differs

OLD and NEW are folders of Tests/Tools/Traces/record, one for each run. A record (*.radio) contains the events of one
radio in a test, or the notices of one net thread (*.net). Measured values are ignored (MEASURED, TEXTS). A record is
equal if one of the OLD runs had the same events in the same order. Five OLD runs are enough for most tests.
Options: --only REGEX selects records by name; --radios ignores net threads; --lines N limits each difference.
"""
import argparse
import difflib
import json
import pathlib
import re
import sys

# Values that depend on time: seconds, bytes, and counters of both. A number becomes "#", null stays null.
MEASURED = {
    "*": {"t"},
    "buffering": {"held"},
    "playing": {"latency", "behindLive"},
    "seekDone": {"position", "requested"},
    "metadataChanged": {"at"},
    "reconnecting": {"delay", "held"},
    "stitched": {"overlap", "lost"},
    "underrun": {"held", "count"},
    "queueExhausted": {"held", "count"},
    "fileComplete": {"heard"},
    "recordingStopped": {"bytes"},
    "songKept": {"bytes", "missing"},
    "rescued": {"held", "states"},
    "failedOver": {"lost"},
    "deadAir": {"level", "seconds"},
    "cameBack": {"after"},
    "summary": {"heard", "underruns", "xruns", "lost", "bytes", "rssAnonPeak"},
}

# Parts of texts that differ in each run, and their substitutes: ports, folders, dates, seconds, durations of notices,
# modules of types.
TEXTS = [
    (r"\b(127\.0\.0\.1|localhost|\[::1\]):\d+", r"\1:#"),
    (r"/tmp/+[\w.-]*?(bakelite)[\w.-]*", r"/tmp/\1"),
    (r"\b\d{4}-\d\d-\d\d[ T_]\d\d[:.-]?\d\d([:.-]?\d\d)?", "DATE"),
    (r"\b\d+(\.\d+)? (s|ms|min|seconds|bytes|KiB|MiB|MB)\b", r"# \2"),
]
NOTICE_TEXTS = [
    (r"\b[A-Z]\w*\.(?=[A-Z])", ""),
    (r"\b(StreamTime|Duration|MonotonicTime)\([^()]*\)", r"\1"),
    (r"\b(overlap|lost|byteCount|token): -?[\d.]+", r"\1: #"),
]


def plain(text, rules):
    for pattern, substitute in rules:
        text = re.sub(pattern, substitute, text)
    return text


def normalize(line):
    """-> the line without measured values"""
    event = json.loads(line)
    name = event.get("event")
    measured = MEASURED["*"] | MEASURED.get(name, set())
    parts = []
    for key, value in event.items():
        if key == "t" or key == "event":
            continue
        if key == "notice":
            value = plain(value, NOTICE_TEXTS)
        if key in measured and value is not None:
            value = "#"
        elif isinstance(value, str):
            value = plain(value, TEXTS)
        parts.append(f"{key}={value}" if value == "#" else f"{key}={json.dumps(value, ensure_ascii=False)}")
    return " ".join([name, *parts])


def read_run(folder, options):
    """-> for each record its normalized lines"""
    if not folder.is_dir():
        sys.exit(f"error: {folder} is no folder")
    records = {}
    for path in sorted(folder.iterdir()):
        if path.suffix == ".radio" or path.suffix == ".net" and not options.radios:
            if re.search(options.only, path.name):
                lines = path.read_text("utf-8", "replace").splitlines()
                records[path.name] = tuple(normalize(line) for line in lines)
    return records


def late_tests(folder):
    """-> the tests whose assertions were excused because the machine was late, or failed"""
    names = set()
    for path in folder.glob("*.excuses"):
        for line in path.read_text("utf-8", "replace").splitlines():
            verdict, _, test = line.partition(" ")
            if verdict != "held":
                names.add(".".join(part for part in test.split("/") if ".swift:" not in part))
    return names


def difference(new, olds, limit):
    """-> the shortest list of changed lines against one of the old records"""
    found = []
    for old in olds:
        lines = [
            line for line in difflib.unified_diff(old, new, lineterm="", n=1)
            if not line.startswith(("---", "+++"))
        ]
        found.append(lines)
    lines = min(found, key=lambda lines: sum(line[0] in "+-" for line in lines))
    return lines[:limit] + ([f"… {len(lines) - limit} more lines"] if len(lines) > limit else [])


def kind(new, olds):
    """-> what is different, in words"""
    known = {line for old in olds for line in old}
    unknown = [line for line in new if line not in known]
    return f"{len(unknown)} events that no old run had" if unknown else "known events, but another order or number"


def traces(name, runs):
    return {run[name] for run in runs if name in run}


def describe_old(names, olds):
    """Prints how many records were equal in all runs. -> the names of the others"""
    varied = [name for name in names if len(traces(name, olds)) > 1]
    partial = [name for name in names if not all(name in run for run in olds)]
    print(f"old: {len(olds)} runs, {len(names)} records, {len(names) - len(varied)} equal in all runs, "
          f"{len(varied)} vary, {len(partial)} missing in a run")
    return varied, partial


def print_old(names, olds, late, options):
    varied, partial = describe_old(names, olds)
    for name in varied:
        first, *others = sorted(traces(name, olds), key=lambda trace: -sum(run.get(name) == trace for run in olds))
        shares = " ".join(str(sum(run.get(name) == trace for run in olds)) for trace in (first, *others))
        print(f"\nvaries: {name} ({shares}){late(name)}")
        for line in difference(others[0], [first], options.lines):
            print(f"    {line}")
    for name in partial:
        print(f"missing in a run: {name}")


def print_comparison(names, olds, news, late, options):
    """Prints the differences. -> number of different records"""
    new_names = sorted({name for run in news for name in run})
    varied, _ = describe_old(names, olds)
    differing, unsteady = [], 0
    for name in names:
        before, after = traces(name, olds), traces(name, news)
        wrong = after - before
        if not wrong:
            continue
        differing.append(name)
        unsteady += name in varied
        for trace in sorted(wrong):
            words = "varied before" if name in varied else "equal in all old runs"
            count = sum(run.get(name) == trace for run in news)
            print(f"\ndiffers in {count} of {len(news)} new runs: {name} ({words}; {kind(trace, before)}){late(name)}")
            for line in difference(trace, before, options.lines):
                print(f"    {line}")
    lost = [name for name in names if name not in new_names]
    added = [name for name in new_names if name not in names]
    for name in names:
        count = sum(name in run for run in news)
        if name in new_names and count < len(news) and all(name in run for run in olds):
            print(f"missing in {len(news) - count} of {len(news)} new runs: {name}")
    for name in lost:
        print(f"only in old: {name}")
    for name in added:
        print(f"only in new: {name}")
    equal = len(names) - len(lost) - len(differing)
    print(f"\nnew: {len(news)} runs, {equal} records equal, {len(differing)} differ (of these {unsteady} varied before), "
          f"{len(lost)} only in old, {len(added)} only in new")
    return len(differing)


def main():
    arguments = sys.argv[1:]
    middle = arguments.index("--") if "--" in arguments else len(arguments)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", nargs="+", type=pathlib.Path)
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--radios", action="store_true")
    parser.add_argument("--lines", default=12, type=int, metavar="N")
    options = parser.parse_args(arguments[:middle])
    new_folders = [pathlib.Path(folder) for folder in arguments[middle + 1:]]
    folders = options.old + new_folders
    runs = [read_run(folder, options) for folder in folders]
    olds, news = runs[:len(options.old)], runs[len(options.old):]
    names = sorted({name for run in olds for name in run})
    if not names or news and not any(news):
        sys.exit("error: There are no records.")
    late_runs = [late_tests(folder) for folder in folders]

    def late(name):
        """-> in how many runs the machine was late"""
        count = sum(any(name.startswith(test) for test in tests) for tests in late_runs)
        return f" late in {count} runs" if count else ""

    if news:
        sys.exit(1 if print_comparison(names, olds, news, late, options) else 0)
    print_old(names, olds, late, options)


if __name__ == "__main__":
    main()
