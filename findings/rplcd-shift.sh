#!/usr/bin/env bash
# RPLCD 1.4.0 (PyPI) stops a scrolling text at each space.
# Expected: with write_shift_mode "display" the HD44780 moves the whole display one place with each written sign (data
# sheet, "Entry Mode Set"), so a text of ten signs moves it ten places.
# Seen: the library remembers the signs on the display and sends only changed ones. A space on an empty place is not
# sent, and the display stays, so the text jerks. A text that is written again does not move at all.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" RPLCD==1.4.0
PYTHONPATH=$folder/packages python3 - <<'END'
import sys
from importlib.metadata import version
from RPLCD.lcd import BaseCharLCD


class Simulated(BaseCharLCD):
    data_bus_mode, shift, is_shifting = 0x10, 0, False

    def _init_connection(self):
        pass

    def _close_connection(self):
        pass

    def _send_instruction(self, order):
        if order in range(4, 8):
            self.is_shifting = bool(order & 1)
        elif order in (1, 2, 3):
            self.shift = 0

    def _send_data(self, code):
        self.shift += self.is_shifting


print("RPLCD", version("RPLCD"))
panel = Simulated(cols=40, rows=2, auto_linebreaks=False)
panel.write_shift_mode = "display"
seen = []
for text in ("ABCDEFGHIJ", "A B C D E ", "A B C D E "):
    if seen[-1:] != [5]:
        panel.clear()
    panel.home()
    panel.write_string(text)
    seen.append(panel.shift)
    print(f"{text!r}: expected 10 places, seen {panel.shift}")
sys.exit(None if seen == [10, 5, 0] else "The behaviour has changed.")
END
