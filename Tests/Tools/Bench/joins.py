#!/usr/bin/env python3
"""Joins the programme of one station to that of another with another encoder, and judges the sound of each join.

joins.py BAKELITE [JOINS [FOREIGN [SEED]]]     JOINS: of one programme. FOREIGN: joins of two different programmes.
SEED: of the first join; each further join has the next seed. Default: by chance.

The first station closes at a random moment and refuses connections from then on. The radio continues at its
alternative, which is up to 30 s earlier or later and has another encoder: MP3 128, AAC 64, Opus 96, or AAC 96 by HLS.
The place in the programme before and after the join follows from the correlation with the original PCM.
"""
import concurrent.futures
import itertools
import json
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from joinear import hear
from joinsound import ENCODINGS, compose, raw
from joinstation import parts, segment_length, station

KINDS = ["mp3", "aac", "opus", "hls"]
PAIRS = list(itertools.permutations(KINDS, 2))
PROGRAMMES = [("music", 1), ("speech", 1), ("music", 2), ("speech", 2)]
AT_ONCE = 20  # players
# Limits: seconds of the error, likeness of the audio, ratio of the greatest steps, seconds of additional silence.
MOST_ERROR, LEAST_LIKENESS, MOST_STEP, MOST_SILENCE = 0.010, 0.7, 1.25, 0.010
MOST_LATE, TRIES = 0.3, 3  # seconds by which a process may be late; tries of a join on a busy machine


class Plan:
    """All choices for a join, by its seed."""

    def __init__(self, seed, is_foreign):
        chance = random.Random(seed)
        self.seed, self.is_foreign, (self.first, self.second) = seed, is_foreign, PAIRS[seed % len(PAIRS)]
        kind, number = PROGRAMMES[seed // len(PAIRS) % 2]
        self.name = f"{kind}{number}"
        others = [f"{kind}{number}" for kind, number in PROGRAMMES if f"{kind}{number}" != self.name]
        self.other = chance.choice(others) if is_foreign else self.name
        self.live, self.heard, self.ahead = chance.uniform(50, 130), chance.uniform(8, 20), chance.uniform(-30, 30)
        self.rate = 48000 if self.first == "opus" else 44100
        self.plan_bursts(chance.uniform(7, 11), chance.uniform(8, 12))

    def plan_bursts(self, one, other):
        """The old audio must last until the later station has reached its end, and the earlier station's burst must
        reach back before its end. A list is late by up to two segments."""
        later = max(0, -self.ahead)
        wait = 2 * segment_length(one + later) if self.first == "hls" else 0
        other += max(0, self.ahead + wait)
        # The last segment of a list is complete up to its length later.
        if self.second == "hls":
            later = max(0, 1.5 * segment_length(other) - self.ahead)
        self.bursts = one + later, other

    def __str__(self):
        return (f"seed {self.seed}: {self.first} to {self.second}, {self.name}"
                + (f" to {self.other}" if self.is_foreign else "") + f", {self.ahead:+.1f} s")


def play(run, binary, encoded, plan):
    """-> (the recording, its rate, the seconds of the programme that the first station sent; events; seconds late)"""
    label = f"{plan.seed}-{plan.name}-{plan.other}"
    path, log = run / f"{label}.pcm", run / f"{label}.jsonl"
    stations = [station(encoded[name, kind], kind, live, burst) for name, kind, live, burst in (
        (plan.name, plan.first, plan.live, plan.bursts[0]),
        (plan.other, plan.second, plan.live + plan.ahead, plan.bursts[1]))]
    process = subprocess.Popen(
        [binary, "play", "--output", f"raw:{path}", "--format", f"s16le/{plan.rate}/2", "--no-mpris", "--events", log,
         "--alternative", stations[1].url, stations[0].url], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    began = time.monotonic()
    time.sleep(plan.heard)
    stations[0].close()
    buffered = 4 * segment_length(plan.bursts[0]) if plan.first == "hls" else plan.bursts[0]
    time.sleep(buffered + 10)
    elapsed = time.monotonic() - began
    process.terminate()
    process.wait(20)
    stations[1].close()
    events = [json.loads(line) for line in log.read_text().splitlines()]
    # A player with buffered audio was late too.
    starved = [MOST_LATE for event in events if event["event"] == "underrun" and event["held"] > 1]
    late = max(stations[0].late, stations[1].late, elapsed - 1.5 - path.stat().st_size / 4 / plan.rate, *starved)
    return ((path, plan.rate), stations[0].begun, stations[0].sent), events, late


def faults(plan, found, stitches):
    """-> sentences"""
    is_estimated = [stitch["estimated"] for stitch in stitches]
    likeness = found["likeness"][::2] if plan.is_foreign else found["likeness"]
    if min(likeness) < LEAST_LIKENESS:
        yield f"the audio is not the programme: likeness {min(likeness):.2f}"
    if plan.is_foreign:
        if is_estimated != [True] or stitches[0]["exact"]:
            yield f"two programmes are joined as the same: {stitches}"
        return
    if len(stitches) != 1:
        yield f"{len(stitches)} joins are reported"
    if max(abs(found["error"]), found["drift"]) > MOST_ERROR:
        yield f"{1000 * found['error']:.1f} ms from the truth, drift {1000 * found['drift']:.1f} ms"
    if found["step"] > MOST_STEP:
        yield f"a step of {found['step']:.2f} of that of the programme"
    if found["silence"] > MOST_SILENCE:
        yield f"{found['silence']:.3f} s of silence"


def join(run, binary, encoded, judges, plan):
    """-> (plan, the judgement, result as reported, faults)"""
    for number in range(TRIES):
        time.sleep(random.uniform(0, 3))
        recording, events, late = play(run, binary, encoded, plan)
        if late < MOST_LATE:
            break
        if number == TRIES - 1:
            return plan, None, [], [f"this machine is too slow: {late:.1f} s late"]
    stitches = [event for event in events if event["event"] == "stitched"]
    paths = [raw(run, plan.name, "wav", plan.rate), raw(run, plan.other, "wav", plan.rate),
             raw(run, plan.name, plan.first, plan.rate), raw(run, plan.other, plan.second, plan.rate)]
    found = judges.submit(hear, *recording, *paths).result()
    wrong = list(faults(plan, found, stitches))
    recording[0][0].unlink()
    for fault in wrong:
        print(f"joins: {plan}: {fault}", flush=True)
    return plan, found, stitches, wrong


def report(results):
    """Prints a table of the joins of one programme."""
    print("| from | to | joins | median ms | maximum ms | by match | estimated | greatest step |")
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    for first, second in [*PAIRS, ("all", "all")]:
        rows = [(found, stitches) for plan, found, stitches, _ in results
                if found and (first, second) in ((plan.first, plan.second), ("all", "all"))]
        if rows:
            errors = [1000 * abs(found["error"]) for found, _ in rows]
            estimated = sum(any(stitch["estimated"] for stitch in stitches) for _, stitches in rows)
            matched = sum(any(not stitch["estimated"] for stitch in stitches) for _, stitches in rows)
            step = max(found["step"] for found, _ in rows)
            print(f"| {first} | {second} | {len(rows)} | {statistics.median(errors):.3f} | {max(errors):.3f} | "
                  f"{matched} | {estimated} | {step:.2f} |")


def main():
    if not shutil.which("ffmpeg"):
        sys.exit("joins: needs Debian's package ffmpeg")
    binary = pathlib.Path(sys.argv[1]).resolve()
    count, foreign = (int(sys.argv[at]) if len(sys.argv) > at else default for at, default in ((2, 24), (3, 12)))
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(1_000_000)
    print(f"joins: {count} joins of one programme and {foreign} of two, seeds from {seed} on", flush=True)
    plans = [Plan(seed + number, False) for number in range(count)]
    plans += [Plan(seed + number, True) for number in range(foreign)]
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder, concurrent.futures.ProcessPoolExecutor(2) as judges:
        run = pathlib.Path(folder)
        needed = PROGRAMMES if foreign else PROGRAMMES[:2]
        list(judges.map(compose, itertools.repeat(run), *zip(*needed)))
        encoded = {(f"{kind}{number}", name): parts(run / f"{kind}{number}.{name}", name)
                   for kind, number in needed for name in ENCODINGS}
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as players:
            results = list(players.map(lambda plan: join(run, binary, encoded, judges, plan), plans))
    same = [result for result in results if not result[0].is_foreign]
    report(same)
    wrong = [sum(bool(faults) for plan, _, _, faults in results if plan.is_foreign == kind) for kind in (False, True)]
    print(f"{len(same)} joins of one programme: {wrong[0]} failed. {foreign} of two programmes: {wrong[1]} failed.")
    sys.exit(1 if any(wrong) else 0)


main()
