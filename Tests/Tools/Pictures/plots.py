"""Plots of measured values: a lost connection (`make outage`), and Bakelite's costs next to MPD's (`make figures`)."""
import csv
import pathlib
import re
from xml.sax.saxutils import escape

import svg

ROOT = pathlib.Path(__file__).resolve().parents[3]

DATA = ROOT / "Tests/Tools/Bench/outage.csv"
PLAYERS = {"bakelite": ("Bakelite", "#1a5fd0"), "mpd": ("MPD", "#d9731a")}
CASES = {"cut": ("Connection closed at 20 s, server back at 23 s", 20, 23),
         "stall": ("Connected, but no data from 20 s to 30 s", 20, 30)}

WIDTH, HEIGHT, LEFT, TOP, SPACE = 460, 330, 60, 64, 90
STRIP, SECONDS = 16, 60


def measured():
    """-> case: rows of (seconds, player: second of the programme or None)"""
    found = {}
    lines = [line for line in DATA.read_text().splitlines() if not line.startswith("#")]
    for row in csv.DictReader(lines):
        values = {name: float(row[name]) if row[name] else None for name in PLAYERS}
        found.setdefault(row["case"], []).append((float(row["seconds"]), values))
    return found


def runs(points):
    """Splits a curve into pieces. A piece ends at silence, and at a skip or repetition of more than half a second."""
    out, last = [], None
    for at, value in points:
        if value is None:
            last = None
            continue
        if last is None or abs(value - last[1] - (at - last[0])) > 0.6:
            out.append([])
        out[-1].append((at, value))
        last = at, value
    return out


def heard(points, step):
    """Returns the ranges with audio."""
    out = []
    for at, value in points:
        if value is not None and out and out[-1][1] == at:
            out[-1][1] = at + step
        elif value is not None:
            out.append([at, at + step])
    return out


def panel(case, data, x0):
    title, begin, end = CASES[case]
    values = [v for _, both in data for v in both.values() if v is not None]
    low, high = min(values) // 10 * 10, -(-max(values) // 10) * 10
    across, up = WIDTH / SECONDS, HEIGHT / (high - low)

    def at(seconds, value):
        return f"{x0 + seconds * across:.1f} {TOP + HEIGHT - (value - low) * up:.1f}"

    out = [f'<text x="{x0}" y="{TOP - 14}" font-weight="bold">{title}</text>',
           f'<rect x="{x0 + begin * across:.1f}" y="{TOP}" width="{(end - begin) * across:.1f}" height="{HEIGHT}" '
           'fill="#f6d9d9"/>',
           f'<rect x="{x0}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#8a929e"/>']
    for tick in range(0, SECONDS + 1, 10):
        x = x0 + tick * across
        out.append(f'<text x="{x:g}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{tick}</text>')
    for tick in range(int(low), int(high) + 1, 10):
        y = TOP + HEIGHT - (tick - low) * up
        out.append(f'<path d="M{x0} {y:.1f}h{WIDTH}" stroke="#e3e6ea"/>'
                   f'<text x="{x0 - 8}" y="{y + 5:.1f}" text-anchor="end">{tick}</text>')
    foot = TOP + HEIGHT + 50
    for index, (name, (label, colour)) in enumerate(PLAYERS.items()):
        points = [(seconds, both[name]) for seconds, both in data]
        # The second line is thinner, so that the first stays visible if both overlap.
        for piece in runs(points):
            out.append(f'<path d="M{" L".join(at(*point) for point in piece)}" fill="none" stroke="{colour}" '
                       f'stroke-width="{(6, 2.5)[index]}" stroke-linecap="round"/>')
        y, step = foot + index * (STRIP + 10), data[1][0] - data[0][0]
        out.append(f'<rect x="{x0}" y="{y}" width="{WIDTH}" height="{STRIP}" fill="#eceef1"/>')
        for begun, ended in heard(points, step):
            out.append(f'<rect x="{x0 + begun * across:.1f}" y="{y}" width="{(ended - begun) * across:.1f}" '
                       f'height="{STRIP}" fill="{colour}"/>')
        silent = sum(value is None for seconds, value in points if seconds >= begin) * step
        told = "never silent" if not silent else f"{silent:g} s silent"
        if all(value is None for seconds, value in points if seconds >= SECONDS - 5):
            told = "silent to the end"
        out.append(f'<text x="{x0 + WIDTH - 6}" y="{y + 13}" text-anchor="end" font-size="13" '
                   f'fill="{"#fff" if points[-1][1] is not None else "#222"}">{label}: {told}</text>')
    out.append(f'<text x="{x0 + WIDTH / 2}" y="{TOP + HEIGHT + 38}" text-anchor="middle">'
               'seconds since the start, looked at every half second</text>')
    return out


def outage():
    data = measured()
    total = LEFT + 2 * WIDTH + SPACE + 20, TOP + HEIGHT + 110
    title = "Which second of the programme is heard (Icecast, MP3 128 kbit/s; both at the same time)"
    out = [svg.text(LEFT, 24, title, font_size=16)]
    for index, case in enumerate(CASES):
        out += panel(case, data[case], LEFT + index * (WIDTH + SPACE))
    told = ". ".join(f"{words[0]}: Bakelite and MPD, second by second" for words in CASES.values())
    return svg.document(*total, title, f"{told}.", out)


BAR_ROW, BAR_LEFT, BAR_WIDTH = 26, 400, 480


def ratios():
    """-> (label, ratio) of each row with a ratio"""
    text = (ROOT / "Tests/Tools/Bench/README.md").read_text()
    cells = (line.split("|")[1:5] for line in text.splitlines() if line.startswith("|"))
    return [(row[0].strip(), float(row[3])) for row in cells
            if len(row) == 4 and re.fullmatch(r" *\d+\.\d+ *", row[3])]


def figures():
    found = ratios()
    height, width = TOP + BAR_ROW * len(found) + 24, BAR_LEFT + BAR_WIDTH
    # MPD's value is at four fifths of the width.
    one, foot = BAR_WIDTH * 0.8, TOP + BAR_ROW * len(found)
    title = "Bakelite as a part of MPD: less is better"
    out = [svg.text(20, 26, title, font_size=16),
           f'<text x="{BAR_LEFT + one:g}" y="{TOP - 10}" text-anchor="middle" font-weight="bold">MPD = 1</text>']
    for index, (what, ratio) in enumerate(found):
        y = TOP + BAR_ROW * index
        out.append(f'<text x="{BAR_LEFT - 10}" y="{y + 17}" text-anchor="end">{escape(what)}</text>'
                   f'<rect x="{BAR_LEFT}" y="{y + 3}" width="{ratio * one:.1f}" height="{BAR_ROW - 8}" '
                   f'fill="{PLAYERS["bakelite"][1]}"/><text x="{BAR_LEFT + ratio * one - 6:.1f}" y="{y + 17}" '
                   f'text-anchor="end" fill="#fff">{ratio:.2f}</text>')
    out.append(f'<path d="M{BAR_LEFT + one:g} {TOP - 4}V{foot}" stroke="#8a929e" stroke-dasharray="5 4"/>')
    told = "; ".join(f"{what}: {ratio:.2f}" for what, ratio in found)
    return svg.document(width, height, title, f"{told}.", out)
