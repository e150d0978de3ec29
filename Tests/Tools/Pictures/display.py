"""Draws the panel's display dot by dot, from the golden screens in Tests/Unit/PanelTests."""
import pathlib
import re
from xml.sax.saxutils import escape

ROOT = pathlib.Path(__file__).resolve().parents[3]
GOLDEN = ROOT / "Tests/Unit/PanelTests/Golden.swift"
GLYPHS = ROOT / "Sources/Box/Panel/Display/Glyph.swift"

# Dots of size 3 with gaps of 1; cells of 5 × 8 dots with gaps of 5.
DOT, PITCH, ACROSS, DOWN, EDGE = 3, 4, 24, 36, 16
LIT, GLASS, CELL, FRAME, INK = "#f4f8ff", "#1a3fc4", "#2149d2", "#10141c", "#3a4352"

# 0 is the 20×4 display, 1 the 16×2 display. The names identify the golden screens.
SCENES = [
    (0, "playing", "A live station; ten seconds are held in the buffer"),
    (0, "paused", "Paused for 31 s; the radio keeps receiving"),
    (0, "time shift", "Rewound by 12 and a half minutes"),
    (0, "server gone", "Reconnecting; 41 s of sound are still held"),
    (0, "menu", "The menu"),
    (0, "spectrum", "The spectrum of what is heard"),
    (1, "playing, behind", "16×2: two and a half minutes behind live"),
    (1, "server gone", "16×2: reconnecting"),
]

# The letters in an HD44780's ROM: seven rows of five dots, and an empty row below.
LETTERS = r"""
! ..#.. ..#.. ..#.. ..#.. ..#.. ..... ..#..
" .#.#. .#.#. .#.#. ..... ..... ..... .....
# .#.#. .#.#. ##### .#.#. ##### .#.#. .#.#.
$ ..#.. .#### #.#.. .###. ..#.# ####. ..#..
% ##... ##..# ...#. ..#.. .#... #..## ...##
& .##.. #..#. #.#.. .#... #.#.# #..#. .##.#
' .##.. ..#.. .#... ..... ..... ..... .....
( ...#. ..#.. .#... .#... .#... ..#.. ...#.
) .#... ..#.. ...#. ...#. ...#. ..#.. .#...
* ..... ..#.. #.#.# .###. #.#.# ..#.. .....
+ ..... ..#.. ..#.. ##### ..#.. ..#.. .....
, ..... ..... ..... ..... .##.. ..#.. .#...
- ..... ..... ..... ##### ..... ..... .....
. ..... ..... ..... ..... ..... .##.. .##..
/ ..... ....# ...#. ..#.. .#... #.... .....
0 .###. #...# #..## #.#.# ##..# #...# .###.
1 ..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###.
2 .###. #...# ....# ...#. ..#.. .#... #####
3 ##### ...#. ..#.. ...#. ....# #...# .###.
4 ...#. ..##. .#.#. #..#. ##### ...#. ...#.
5 ##### #.... ####. ....# ....# #...# .###.
6 ..##. .#... #.... ####. #...# #...# .###.
7 ##### #...# ....# ...#. ..#.. ..#.. ..#..
8 .###. #...# #...# .###. #...# #...# .###.
9 .###. #...# #...# .#### ....# ...#. .##..
: ..... .##.. .##.. ..... .##.. .##.. .....
; ..... .##.. .##.. ..... .##.. ..#.. .#...
< ...#. ..#.. .#... #.... .#... ..#.. ...#.
= ..... ..... ##### ..... ##### ..... .....
> #.... .#... ..#.. ...#. ..#.. .#... #....
? .###. #...# ....# ...#. ..#.. ..... ..#..
@ .###. #...# ....# .##.# #.#.# #.#.# .###.
A .###. #...# #...# #...# ##### #...# #...#
B ####. #...# #...# ####. #...# #...# ####.
C .###. #...# #.... #.... #.... #...# .###.
D ###.. #..#. #...# #...# #...# #..#. ###..
E ##### #.... #.... ####. #.... #.... #####
F ##### #.... #.... ####. #.... #.... #....
G .###. #...# #.... #.### #...# #...# .####
H #...# #...# #...# ##### #...# #...# #...#
I .###. ..#.. ..#.. ..#.. ..#.. ..#.. .###.
J ..### ...#. ...#. ...#. ...#. #..#. .##..
K #...# #..#. #.#.. ##... #.#.. #..#. #...#
L #.... #.... #.... #.... #.... #.... #####
M #...# ##.## #.#.# #.#.# #...# #...# #...#
N #...# #...# ##..# #.#.# #..## #...# #...#
O .###. #...# #...# #...# #...# #...# .###.
P ####. #...# #...# ####. #.... #.... #....
Q .###. #...# #...# #...# #.#.# #..#. .##.#
R ####. #...# #...# ####. #.#.. #..#. #...#
S .#### #.... #.... .###. ....# ....# ####.
T ##### ..#.. ..#.. ..#.. ..#.. ..#.. ..#..
U #...# #...# #...# #...# #...# #...# .###.
V #...# #...# #...# #...# #...# .#.#. ..#..
W #...# #...# #...# #.#.# #.#.# #.#.# .#.#.
X #...# #...# .#.#. ..#.. .#.#. #...# #...#
Y #...# #...# #...# .#.#. ..#.. ..#.. ..#..
Z ##### ....# ...#. ..#.. .#... #.... #####
[ .###. .#... .#... .#... .#... .#... .###.
] .###. ...#. ...#. ...#. ...#. ...#. .###.
^ ..#.. .#.#. #...# ..... ..... ..... .....
_ ..... ..... ..... ..... ..... ..... #####
` .#... ..#.. ...#. ..... ..... ..... .....
a ..... ..... .###. ....# .#### #...# .####
b #.... #.... #.##. ##..# #...# #...# ####.
c ..... ..... .###. #.... #.... #...# .###.
d ....# ....# .##.# #..## #...# #...# .####
e ..... ..... .###. #...# ##### #.... .###.
f ..##. .#..# .#... ###.. .#... .#... .#...
g ..... .#### #...# #...# .#### ....# .###.
h #.... #.... #.##. ##..# #...# #...# #...#
i ..#.. ..... .##.. ..#.. ..#.. ..#.. .###.
j ...#. ..... ..##. ...#. ...#. #..#. .##..
k #.... #.... #..#. #.#.. ##... #.#.. #..#.
l .##.. ..#.. ..#.. ..#.. ..#.. ..#.. .###.
m ..... ..... ##.#. #.#.# #.#.# #...# #...#
n ..... ..... #.##. ##..# #...# #...# #...#
o ..... ..... .###. #...# #...# #...# .###.
p ..... ..... ####. #...# ####. #.... #....
q ..... ..... .##.# #..## .#### ....# ....#
r ..... ..... #.##. ##..# #.... #.... #....
s ..... ..... .###. #.... .###. ....# ####.
t .#... .#... ###.. .#... .#... .#..# ..##.
u ..... ..... #...# #...# #...# #..## .##.#
v ..... ..... #...# #...# #...# .#.#. ..#..
w ..... ..... #...# #...# #.#.# #.#.# .#.#.
x ..... ..... #...# .#.#. ..#.. .#.#. #...#
y ..... ..... #...# #...# .#### ....# .###.
z ..... ..... ##### ...#. ..#.. .#... #####
{ ...#. ..#.. ..#.. .#... ..#.. ..#.. ...#.
| ..#.. ..#.. ..#.. ..#.. ..#.. ..#.. ..#..
} .#... ..#.. ..#.. ...#. ..#.. ..#.. .#...
→ ..... ..#.. ...#. ##### ...#. ..#.. .....
← ..... ..#.. .#... ##### .#... ..#.. .....
· ..... ..... ..... .##.. .##.. ..... .....
ä .#.#. ..... .###. ....# .#### #...# .####
ö .#.#. ..... .###. #...# #...# #...# .###.
ü .#.#. ..... #...# #...# #...# #..## .##.#
ß .##.. #..#. #..#. ####. #...# ####. #....
"""


def letters():
    """-> character: its eight rows of dots. LETTERS are from the ROM, the others from Panel."""
    found = {" ": [], "█": ["#####"] * 8}
    for line in LETTERS.strip().splitlines():
        name, *rows = line.split(" ")
        found[name] = rows
    source = GLYPHS.read_text()
    for name, drawing in re.findall(r'Glyph\("(.)", spare: "(?:\\.|.)", "([#. ]+)"\)', source):
        found[name] = drawing.split(" ")
    for names in re.findall(r'zip\("(.+?)"', source):
        for count, name in enumerate(names, 1):
            found[name] = [("#" * count).ljust(5, ".")] * 8
    for names in re.findall(r'= "(.+?)"\.enumerated', source):
        for count, name in enumerate(names, 1):
            found[name] = ["....."] * (8 - count) + ["#####"] * count
    return found


def scenes():
    """-> name: its lines on the large and on the small display"""
    found = {}
    for name, text in re.findall(r'"([^"]+)": """\n(.*?)\n *"""', GOLDEN.read_text(), re.S):
        lines = [line.strip() for line in text.split("\n")]
        found[name] = [[line.split("│")[1::2][place] for line in lines if len(line.split("│")) > 2 * place + 2]
                       for place in (0, 1)]
    return found


def dots(rows):
    """Returns a path of the lit dots."""
    return "".join(f"M{PITCH * x} {PITCH * y}h{DOT}v{DOT}h-{DOT}z"
                   for y, row in enumerate(rows) for x, dot in enumerate(row) if dot == "#")


def screen(rows, columns, known, place, caption):
    """Draws a display at a position. Its shapes are defined elsewhere."""
    x, y = place
    width, height = columns * ACROSS - 5 + 2 * EDGE, len(rows) * DOWN - 5 + 2 * EDGE
    out = [f'<g transform="translate({x} {y})"><title>{escape(caption)}</title>',
           f'<rect width="{width}" height="{height}" rx="10" fill="{FRAME}"/>',
           f'<rect x="6" y="6" width="{width - 12}" height="{height - 12}" rx="5" fill="{GLASS}"/>']
    for row, text in enumerate(rows):
        for column, character in enumerate(text):
            if character not in known:
                raise SystemExit(f"pictures: LETTERS lacks {character!r}, which {GOLDEN.name} shows")
            at = f'x="{EDGE + column * ACROSS}" y="{EDGE + row * DOWN}"'
            out.append(f'<use href="#cell" {at}/>')
            if character != " ":
                out.append(f'<use href="#c{ord(character):x}" {at}/>')
    out.append(f'<text x="{width / 2:g}" y="{height + 22}" text-anchor="middle">{escape(caption)}</text></g>')
    return out, width, height


def picture():
    """Draws scenes as SVG, two per row: first on the large display, then on the small display."""
    known, all_scenes = letters(), scenes()
    drawn, used, y, total = [], set(), 0, 0
    for index, (size, name, caption) in enumerate(SCENES):
        if name not in all_scenes:
            raise SystemExit(f"pictures: {GOLDEN.name} has no screen {name!r}")
        rows, columns = all_scenes[name][size], (20, 16)[size]
        used |= {character for row in rows for character in row if character != " "}
        part, width, height = screen(rows, columns, known, ((width + 24) if index % 2 else 0, y), caption)
        drawn += part
        total = max(total, 2 * width + 24)
        y += (height + 44) * (index % 2)
    shapes = [f'<path id="c{ord(c):x}" d="{dots(known[c])}" fill="{LIT}"/>' for c in sorted(used)]
    cell = f'<rect id="cell" x="-1" y="-1" width="{5 * PITCH + 1}" height="{8 * PITCH + 1}" fill="{CELL}"/>'
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {y - 12}" '
        f'font-family="sans-serif" font-size="17" fill="{INK}">',
        f'<rect width="{total}" height="{y - 12}" fill="#ffffff"/>',
        "<defs>", cell, *shapes, "</defs>", *drawn, "</svg>", ""])
