"""A plot of the cost by codec (`make figures`): million instructions a minute of each player."""
import csv
import pathlib

import svg

DATA = pathlib.Path(__file__).resolve().parents[3] / "Tests/Tools/Bench/codecs.csv"
COLOURS = {"Bakelite": "#1a5fd0", "MPD": "#d9731a", "mpg123": "#3a8f4b", "mpv": "#7a5aa6"}
BAR, GAP, TOP, LEFT, ACROSS = 16, 14, 84, 160, 560


def plot():
    rows = list(csv.DictReader(line for line in DATA.read_text().splitlines() if not line.startswith("#")))
    most = max(float(row[player]) for row in rows for player in COLOURS if row[player])
    title = "Cost by codec: million instructions for a minute of sound"
    parts, x, y, told = [svg.text(20, 26, title, font_size=16)], 20, TOP, []
    for player, colour in COLOURS.items():
        parts += [svg.bar(x, 44, 14, 14, colour), svg.text(x + 20, 56, player)]
        x += 54 + 8 * len(player)
    for row in rows:
        values = {player: float(row[player]) for player in COLOURS if row[player]}
        parts.append(svg.text(LEFT - 10, y + BAR * len(values) / 2 + 5, row["codec"], text_anchor="end"))
        for player, value in values.items():
            width = value / most * ACROSS
            parts += [svg.bar(LEFT, y, width, BAR - 2, COLOURS[player]),
                      svg.text(LEFT + width + 6, y + 12, f"{value:,.0f}", font_size=12)]
            y += BAR
        y += GAP
        told.append(f'{row["codec"]}: ' + ", ".join(f"{player} {value:.0f}" for player, value in values.items()))
    return svg.document(LEFT + ACROSS + 70, y + 6, title, "; ".join(told) + ".", parts)
