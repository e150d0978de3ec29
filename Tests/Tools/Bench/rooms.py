#!/usr/bin/env python3
"""Plays the radio in two rooms with a real snapserver and two snapclients, and measures the lag between the rooms.

rooms.py BAKELITE [SECONDS [PPM]]

Each client has a simulated sound card (clock-card.c). One clock is PPM (200) parts per million fast, the other equally
slow. Before the test, the script measures and prints the error of the delays that the cards report.
"""
import json
import pathlib
import re
import signal
import sys
import tempfile
import time

from clockcard import Heard, figures, make_cards, own_error
from snapcast import House

# Allowed difference besides the cards' own error, in milliseconds.
MEDIAN, NEARLY_ALL = 1.0, 5.0
ROOMS = ("one", "two")


def main():
    bakelite = pathlib.Path(sys.argv[1]).resolve()
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 2100
    ppm = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    if House.missing():
        print(f"rooms: skipped: not installed: {', '.join(House.missing())}")
        return
    with tempfile.TemporaryDirectory(prefix="rooms-") as folder:
        run = pathlib.Path(folder)
        environment = make_cards(run, {"one": ppm, "two": -ppm, "alone_one": ppm, "alone_two": -ppm})
        error = own_error(run, ("alone_one", "alone_two"), environment)
        print(f"The cards' own error: median {error[0]:.3f} ms, 99 % below {error[1]:.3f} ms.", flush=True)
        with House(run, environment) as house:
            begun, ended = play(house, bakelite, seconds)
            wrong = judge(house, begun, ended, error, f"cards {ppm:+d} and {-ppm:+d} ppm")
    if wrong:
        sys.exit("rooms: " + "; ".join(wrong))


def play(house, bakelite, seconds):
    """-> the first and the last time to compare"""
    house.begin_server()
    house.begin_station(bakelite)
    for room in ROOMS:
        house.begin_client(room)
    radio = house.begin("radio", bakelite, "play", "--output", f"snapcast:{house.feed}",
                        "--events", house.run / "events.json", house.url("bakelite-demo.mp3"))
    # The rooms start a second after the radio and need time to synchronize.
    time.sleep(5)
    begun = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    time.sleep(seconds)
    ended = time.clock_gettime_ns(time.CLOCK_MONOTONIC) - 2_000_000_000
    radio.send_signal(signal.SIGINT)
    radio.wait(timeout=20)
    return begun, ended


def judge(house, begun, ended, error, cards):
    """Prints the measurements. -> the faults"""
    one, two = (Heard(house.run / room) for room in ROOMS)
    lags = [one.lag(two, moment) for moment in range(begun, ended, 100_000_000)]
    told = [value for value in lags if value is not None]
    if 2 * len(told) < len(lags):
        return [f"of {len(lags)} moments, only {len(told)} can be compared"]
    median, most = figures(told)
    events = [json.loads(line) for line in (house.run / "events.json").read_text().splitlines()]
    summary = next(e for e in events if e["event"] == "summary")
    faults = [e["event"] for e in events if e["event"] in ("deviceLost", "underrun", "queueExhausted")]
    server = len(re.findall(r"onResync", house.log("server")))
    clients = [len(re.findall(r"p\w*Buffer.*&&|hard sync", house.log(f"client-{room}"))) for room in ROOMS]
    print(f"{len(told)} moments in {(ended - begun) / 1e9:.0f} s, {cards}: lag median {median:.3f} ms, 99 % below "
          f"{most:.3f} ms, at most {max(abs(v) for v in told):.3f} ms; {len(lags) - len(told)} cannot be compared.")
    print(f"Underruns {summary['underruns']}, xruns {summary['xruns']}, heard {summary['heard']:.0f} s; resyncs of the "
          f"server {server}, of the clients {clients[0]} and {clients[1]}.")
    wrong = []
    if median > MEDIAN + error[0]:
        wrong.append(f"the median lag is above {MEDIAN} ms beyond the cards' error")
    if most > NEARLY_ALL + error[1]:
        wrong.append(f"1 % of the lags are above {NEARLY_ALL} ms beyond the cards' error")
    if summary["underruns"] or faults:
        wrong.append(f"the sound was interrupted: {faults}")
    return wrong


main()
