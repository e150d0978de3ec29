#!/usr/bin/env bash
# cron-converter 2.0.2 (PyPI) rings an alarm for Mondays and the first of a month only if both come together.
# Expected: if the day of the month and the weekday are both restricted, a day that matches either is meant (POSIX,
# crontab, "Input Files"; crontab(5)). "0 7 1 * 1" is due on each Monday and on each first of a month.
# Seen: both have to match, so the first alarm after 2 January 2026 is on 1 June instead of 5 January. cronsim 2.8 and
# croniter 7.0.0 agree with the standard.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" cron-converter==2.0.2 cronsim==2.8 croniter==7.0.0 \
  python-dateutil==2.9.0.post0 six==1.17.0
PYTHONPATH=$folder/packages python3 - <<'END'
import sys
from datetime import datetime
from importlib.metadata import version
from cron_converter import Cron
from croniter import croniter
from cronsim import CronSim

rule, start = "0 7 1 * 1", datetime(2026, 1, 2)
simulated, steps, schedule = CronSim(rule, start), croniter(rule, start), Cron(rule).schedule(start)
found = {
    "cronsim": lambda: next(simulated),
    "croniter": lambda: steps.get_next(datetime),
    "cron-converter": lambda: schedule.next(),
}
seen = {name: [f"{ask():%d %b}" for _ in range(5)] for name, ask in found.items()}
for name, days in seen.items():
    print(name, version(name), days)
right = ["05 Jan", "12 Jan", "19 Jan", "26 Jan", "01 Feb"]
is_unchanged = seen["cronsim"] == right == seen["croniter"] and seen["cron-converter"][0] == "01 Jun"
sys.exit(None if is_unchanged else "The behaviour has changed.")
END
