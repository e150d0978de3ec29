"""Reads a process's costs from the kernel's counters."""
import os
import time


def fields(path, wanted):
    """Returns the numbers in a file with `Name: number` lines."""
    found = {}
    with open(path) as file:
        for line in file:
            name, _, rest = line.partition(":")
            if name in wanted:
                found[name] = int(rest.split()[0])
    return found


def rss_anon(pid):
    """Returns the process's private memory in KiB, summed from `smaps_rollup`."""
    return fields(f"/proc/{pid}/smaps_rollup", ["Anonymous"])["Anonymous"]


def threads(pid):
    return len(os.listdir(f"/proc/{pid}/task"))


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


class Snapshot:
    """CPU time (ns, user and system) and voluntary context switches of each thread."""

    def __init__(self, pid):
        self.time, self.threads = time.monotonic(), {}
        for thread in os.listdir(f"/proc/{pid}/task"):
            base = f"/proc/{pid}/task/{thread}"
            try:
                with open(f"{base}/schedstat") as file:
                    cpu = int(file.read().split()[0])
                with open(f"{base}/comm") as file:
                    name = file.read().strip()
                status = fields(f"{base}/status", ["voluntary_ctxt_switches"])
                self.threads[thread] = cpu, status["voluntary_ctxt_switches"], name
            except (OSError, KeyError):
                pass  # the thread has just ended

    def since(self, earlier):
        """-> (CPU seconds per minute, wake-ups per second, both for each thread as text)"""
        seconds = self.time - earlier.time
        cpu, wakes, each = 0, 0, []
        for thread, (ns, switches, name) in self.threads.items():
            old = earlier.threads.get(thread, (0, 0, ""))
            cpu += ns - old[0]
            wakes += switches - old[1]
            each.append(f"{name} {(ns - old[0]) / 1e9 / seconds * 60:.3f} s/min {(switches - old[1]) / seconds:.0f}/s")
        return cpu / 1e9 / seconds * 60, wakes / seconds, ", ".join(each)
