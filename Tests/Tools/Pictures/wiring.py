"""Draws a board's parts and wires around the 40-pin header, from the wiring table in boards/NAME.toml."""
import pathlib
import re
import tomllib
from xml.sax.saxutils import escape

ROOT = pathlib.Path(__file__).resolve().parents[3]

# The function of each pin of the header; all other pins are ground.
POWER = {1: "3.3 V", 17: "3.3 V", 2: "5 V", 4: "5 V"}
LINES = {3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10, 21: 9, 22: 25, 23: 11,
         24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26, 38: 20, 40: 21}

NAMES = {"DAC": "DAC", "display": "Display", "knob": "Rotary encoder", "button": "Buttons", "amplifier": "Amplifier",
         "shifter": "Level shifter"}
COLOURS = {"DAC": "#7b3fb8", "display": "#1a5fd0", "knob": "#0a8a6a", "button": "#b3590a", "amplifier": "#7b3fb8",
           "shifter": "#1a5fd0"}
SUPPLY = {"5 V": "#d01f2e", "3.3 V": "#e08a00", "GND": "#1b1b1b"}

ROW, TOP, BOARD, CENTRE = 32, 70, 110, 560
BOX, LEFT, RIGHT, STEP = 170, 40, 910, 26
WIDTH = 2 * CENTRE


def supply(pin):
    return POWER.get(pin, None if pin in LINES else "GND")


class Wire:
    """A row of the table: a signal of a part, at a pin of the header."""

    def __init__(self, part, signal, pin, note=""):
        self.part, self.signal, self.pin, self.note = part, signal, pin, note
        self.goes_through = "level shifter" in note
        self.colour = SUPPLY.get(supply(pin)) or COLOURS[part]

    def height(self, side):
        """Returns the point where the wire leaves the header; a wire that crosses to the other side passes between two
        rows."""
        y = TOP + (self.pin - 1) // 2 * ROW
        return y if self.is_at(side) else y + ROW / 2

    def is_at(self, side):
        return (self.pin % 2 == 1) == (side == "left")


def table(name):
    """-> (wires, pins used by an add-on board or an overlay, signals without a pin)"""
    text = (ROOT / f"boards/{name}.toml").read_text()
    wires, taken, loose = [], {}, []
    for line in text[text.index("# Wiring"):].split("\n")[1:]:
        if line == "#":
            break
        what, line_number, place, note = (line[a:b].strip() for a, b in ((4, 26), (26, 36), (36, 45), (45, None)))
        part, _, signal = what.partition(" ")
        pin = int(place.removeprefix("pin ")) if place else None
        if line_number and LINES.get(pin) != int(line_number.removeprefix("GPIO ")):
            raise SystemExit(f"pictures: boards/{name}.toml: {line_number} is not at pin {pin}")
        if part == "I2S" or "leave it alone" in note:
            taken[pin] = what
        elif pin is None:
            loose.append((part, signal, note))
        else:
            wires.append(Wire(part, signal, pin, note))
        if ground := re.search(r"to ground \(pin (\d+)\)", note):
            wires.append(Wire(part, "other sides" if part == "button" else "C" if "C," in note else "other side",
                              int(ground[1])))
    return wires, taken, loose


class Part:
    """A box with a terminal for each wire."""

    def __init__(self, name, wires, below=None):
        self.name, self.below = name, below
        # Signals from another part enter at the bottom.
        self.under = [w for w in wires if w.goes_through]
        odd = sum(w.pin % 2 for w in wires)
        self.side = below.side if below else "left" if 2 * odd >= len(wires) else "right"
        self.wires = sorted((w for w in wires if not w.goes_through), key=lambda w: w.height(self.side))
        passed = below.under if below else []
        self.terminals = sorted([*self.wires, *passed], key=lambda w: w.height(self.side))
        self.height = 40 + STEP * len(self.terminals)
        self.y = 0

    def middle(self):
        heights = [w.height(self.side) for w in self.terminals]
        return sum(heights) / len(heights)


def parts(wires):
    found = {}
    for name in dict.fromkeys(w.part for w in wires):
        own = [w for w in wires if w.part == name]
        found[name] = Part(name, own, found.get("display") if name == "shifter" else None)
    return list(found.values())


def arrange(all_parts):
    """Stacks the parts of each side, near their pins."""
    bottom = TOP
    for side in ("left", "right"):
        column = sorted((p for p in all_parts if p.side == side),
                        key=lambda p: (p.below or p).middle() + (0.1 if p.below else 0))
        y = 24
        for part in column:
            gap = 54 if part.below else 22
            part.y = y + gap if part.below else max(y + gap, part.middle() - part.height / 2)
            y = part.y + part.height
        over = max(0, y - (TOP + 20 * ROW + 40))
        for part in reversed(column):  # back up if there is space
            room = min((q.y for q in column if q.y > part.y), default=TOP + 20 * ROW + 62) - 22 - part.height
            part.y = min(part.y, room) if over else part.y
        bottom = max(bottom, y)
    return bottom


def header(taken, used):
    out = [f'<rect x="{CENTRE - BOARD}" y="20" width="{2 * BOARD}" height="{TOP + 19 * ROW + 6}" rx="12" '
           'fill="#1f6b45"/>',
           f'<text x="{CENTRE}" y="42" text-anchor="middle" fill="#fff" font-weight="bold">Raspberry Pi</text>']
    for pin in range(1, 41):
        is_odd, y = pin % 2 == 1, TOP + (pin - 1) // 2 * ROW
        x = CENTRE - 15 if is_odd else CENTRE + 15
        kind = supply(pin)
        fill = SUPPLY.get(kind, "#f2e3a0" if pin in used else "#cfd8d2")
        ink = "#fff" if kind == "GND" or kind == "5 V" else "#222"
        square, circle = f'rect x="{x - 11}" y="{y - 11}" width="22" height="22"', f'circle cx="{x}" cy="{y}" r="11"'
        out.append(f'<{square if pin == 1 else circle} fill="{fill}" stroke="#0c3a24"/>'
                   f'<text x="{x}" y="{y + 4}" text-anchor="middle" font-size="11" fill="{ink}">{pin}</text>')
        label = kind or f"GPIO {LINES[pin]}"
        weight = ' fill="#fff"' if pin in used or pin in taken else ' fill="#9cc4af"'
        if pin in taken:
            label = f"{label} *"
        at = (CENTRE - 32, "end") if is_odd else (CENTRE + 32, "start")
        out.append(f'<text x="{at[0]}" y="{y + 4}" text-anchor="{at[1]}" font-size="12"{weight}>{label}</text>')
    return out


def wire(w, side, x, y):
    """Draws a wire from the pin to a terminal: across the header if necessary, then in a curve."""
    pin_x, pin_y = CENTRE - 15 if w.pin % 2 else CENTRE + 15, TOP + (w.pin - 1) // 2 * ROW
    edge, sign = (CENTRE - BOARD, -1) if side == "left" else (CENTRE + BOARD, 1)
    out = w.height(side)
    if w.is_at(side):
        start = f"M{edge} {out:g}"
    else:
        start = f"M{pin_x} {pin_y + 11} L{pin_x + sign * 8} {out:g} L{edge} {out:g}"
    reach = abs(x - edge) * 0.5
    curve = f"C{edge + sign * reach:g} {out:g} {x - sign * reach:g} {y:g} {x} {y:g}"
    return (f'<path d="{start} {curve}" fill="none" '
            f'stroke="{w.colour}" stroke-width="3"/>')


def box(part):
    """-> (wires, drawn below the boxes; the box)"""
    left = part.side == "left"
    x, edge = (LEFT, LEFT + BOX) if left else (RIGHT, RIGHT)
    lines, out = [], [
        f'<rect x="{x}" y="{part.y:g}" width="{BOX}" height="{part.height}" rx="8" fill="#fff" '
        f'stroke="{COLOURS[part.name]}" stroke-width="2"/>',
        f'<text x="{x + BOX / 2}" y="{part.y + 22:g}" text-anchor="middle" font-weight="bold">'
        f'{NAMES[part.name]}</text>']
    for index, w in enumerate(part.terminals):
        y = part.y + 46 + STEP * index
        lines.append(wire(w, part.side, edge, y))
        at = (edge - 12, "end") if left else (edge + 12, "start")
        out.append(f'<circle cx="{edge}" cy="{y:g}" r="4" fill="{w.colour}"/>'
                   f'<text x="{at[0]}" y="{y + 5:g}" text-anchor="{at[1]}">{escape(w.signal)}</text>')
    if part.below:
        for index, w in enumerate(part.below.under):
            at, foot = LEFT + 50 + 60 * index if left else RIGHT + 60 + 60 * index, part.below.y + part.below.height
            lines.append(f'<path d="M{at} {part.y:g} V{foot:g}" stroke="{w.colour}" stroke-width="3"/>')
            out.append(f'<circle cx="{at}" cy="{foot:g}" r="4" fill="{w.colour}"/>'
                       f'<text x="{at + 8}" y="{(part.y + foot) / 2 + 5:g}">{escape(w.signal)}</text>')
    return lines, out


def picture(name):
    wires, taken, loose = table(name)
    board = tomllib.loads((ROOT / f"boards/{name}.toml").read_text())
    all_parts = parts(wires)
    lines, boxes = [], []
    bottom = max(arrange(all_parts), TOP + 20 * ROW + 10)
    for part in all_parts:
        more = box(part)
        lines += more[0]
        boxes += more[1]
    notes = [f"{NAMES[part]} {signal}: {note}" for part, signal, note in loose]
    if taken:
        notes.append("* connect nothing else here; the sound board or its driver takes "
                     + ", ".join(f"{what} (pin {pin})" for pin, what in sorted(taken.items())))
    texts = [f'<text x="{LEFT}" y="{bottom + 34 + 22 * index:g}">{escape(note)}</text>'
             for index, note in enumerate(notes)]
    total = bottom + 34 + 22 * len(notes)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {total:g}" font-family="sans-serif" '
        'font-size="15" fill="#222">',
        f'<title>{escape(board["title"])}</title>',
        f'<rect width="{WIDTH}" height="{total:g}" fill="#ffffff"/>',
        *header(taken, {w.pin for w in wires}), *lines, *boxes, *texts, "</svg>", ""])


def pictures():
    """Draws the default box, and the board with different wiring."""
    return {"wiring.svg": picture("raspberry-pi-pcm5102-lcd2004"), "wiring-max98357a.svg": picture("max98357a")}
