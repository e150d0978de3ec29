"""A plot of station changes (`make zap`): the median stages, and each change."""
import csv
import pathlib

import svg

DATA = pathlib.Path(__file__).resolve().parents[3] / "Tests/Tools/Bench/zap.csv"
STAGES = {"connected": ("order to connection", "#1a5fd0"), "requested": ("to request", "#58a6d6"),
          "first byte": ("to first byte", "#d9731a"), "heard": ("to first sample heard", "#3a8f4b")}
ROW, TOP, LEFT, ACROSS = 30, 92, 210, 620
MAX = 65  # milliseconds
LIMITS = {"card": 60, "null": 22, "pipe": 22}
NAMES = {"card": "card", "null": "null sink", "pipe": "pipe"}


def measured():
    lines = [line for line in DATA.read_text().splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


def at(milliseconds):
    return LEFT + min(milliseconds, MAX) * ACROSS / MAX


def dots(times, y):
    """-> a dot for each change; later dots of the same millisecond are above"""
    counts, places = {}, []
    for time in times:
        column = round(min(time, MAX) * 2) / 2
        counts[column] = counts.get(column, 0) + 1
        # 200 changes may fall into one column.
        if counts[column] <= 6:
            places.append(f"M{at(column):.1f} {y - 1.6 * counts[column]:.1f}h.01")
    return f'<path d="{"".join(places)}" stroke="#222" stroke-width="1.8" stroke-linecap="round"/>'


def row(case, y):
    name = f'{NAMES[case["sink"]]}, {case["case"]}' + ("" if case["player"] == "Bakelite" else f' ({case["player"]})')
    times = [float(time) for time in case["changes"].split()]
    parts, last = [svg.text(LEFT - 10, y + 15, name, text_anchor="end")], 0.0
    for stage, (_, colour) in STAGES.items():
        if case[stage]:
            end = float(case[stage])
            parts.append(svg.bar(at(last), y + 12, at(end) - at(last), 8, colour))
            last = end
    limit = at(LIMITS[case["sink"]])
    if case["player"] == "Bakelite":
        parts.append(f'<path d="M{limit:.1f} {y}v{ROW - 6}" stroke="#b3261e" stroke-width="2"/>')
    parts.append(svg.text(LEFT + ACROSS + 10, y + 15, f"{last:.0f} ms", font_weight="bold"))
    return [*parts, dots(times, y + 11)]


def plot():
    cases = measured()
    count = max(len(case["changes"].split()) for case in cases)
    foot, width = TOP + ROW * len(cases), LEFT + ACROSS + 70
    title = f"Station changes: median stages, and dots for {count} changes, at most six per half millisecond"
    parts, x = [svg.text(20, 26, title, font_size=16)], 20
    for label, colour in STAGES.values():
        parts += [svg.bar(x, 44, 14, 14, colour), svg.text(x + 20, 56, label)]
        x += 44 + 7.2 * len(label)
    parts += [f'<path d="M{x:.1f} 44v14" stroke="#b3261e" stroke-width="2"/>', svg.text(x + 10, 56, "limit of the median")]
    for tick in range(0, MAX + 1, 10):
        parts += [f'<path d="M{at(tick):.1f} {TOP - 6}V{foot}" stroke="#e3e6ea"/>',
                  svg.text(at(tick), foot + 18, str(tick), text_anchor="middle")]
    for number, case in enumerate(cases):
        parts += row(case, TOP + ROW * number)
    parts.append(svg.text(LEFT + ACROSS / 2, foot + 40, "milliseconds after the order", text_anchor="middle"))
    told = "; ".join(f'{case["player"]}, {NAMES[case["sink"]]}, {case["case"]}: {case["heard"]} ms' for case in cases)
    return svg.document(width, foot + 54, title, f"Median from the order to the first sample heard. {told}.", parts)
