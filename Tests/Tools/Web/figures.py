#!/usr/bin/env python3
"""Measures the page: bytes, requests, first paint, and the time until it shows a change.

figures.py BAKELITE
"""
import gzip
import statistics
import sys
import time
import urllib.request

from browser import FILES, Page, WebBox, Wire, check, is_able, wait_for
from stage import run

ROUNDS = 10


def sizes(box):
    """Requests each file as a browser with an empty cache does. -> the bytes of each response's body"""
    received = {}
    for path in [path for path in sorted(FILES.rglob("*")) if path.is_file() and path.name != "openapi.json"]:
        name = str(path.relative_to(FILES))
        ask = urllib.request.Request(box.address + name, headers={"Accept-Encoding": "gzip, deflate, br, zstd"})
        with urllib.request.urlopen(ask) as answer:
            body = answer.read()
            check(answer.headers["Content-Encoding"] == "gzip" and gzip.decompress(body) == path.read_bytes(),
                  f"{name} is served gzipped, {len(body)} bytes instead of {path.stat().st_size}")
        received[name] = len(body)
    return received


def total(received):
    """-> the bytes of all files with the largest language alone"""
    texts = [size for name, size in received.items() if name.startswith("text/")]
    return sum(received.values()) - sum(texts) + max(texts)


def first_view(page, box):
    """Loads the page without a cache: its requests, and the time of the first paint in ms."""
    page.cdp("Network.clearBrowserCache")
    page.open(box.address)
    wait_for("the radio is shown", lambda: page.text("#station") == "One")
    wait_for("it is painted", lambda: page.js("return performance.getEntriesByName('first-contentful-paint').length"))
    files, paint = page.js("""
      const files = performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname);
      const paint = performance.getEntriesByName('first-contentful-paint')[0];
      return [['/', ...files.filter((name) => !name.startsWith('/api/'))], paint.startTime];""")
    return files, paint


def change(page, box, volume):
    """Another client changes the volume. -> ms until the page shows the new volume"""
    page.js("""
      window.seen = new Promise((done) => {
        const node = document.getElementById('loudness');
        new MutationObserver((_, watch) => {
          if (node.textContent !== arguments[0]) return;
          watch.disconnect();
          requestAnimationFrame(() => done(performance.timeOrigin + performance.now()));
        }).observe(node, { childList: true, characterData: true, subtree: true });
      });""", str(volume))
    wire = Wire(box.socket)
    begun = time.time() * 1_000
    wire.ask(f"setvol {volume}")
    return page.driver.execute_async_script("window.seen.then(arguments[0])") - begun


def drive(stage):
    box = WebBox(stage)
    with Page(390, 800) as page:
        page.sign_in(box)
        loads = [first_view(page, box) for _ in range(ROUNDS)]
        files = loads[0][0]
        changes = []
        for number in range(ROUNDS):
            time.sleep(0.3)
            changes.append(change(page, box, 51 + number))
    received = total(sizes(box))
    paint, seen = statistics.median(paint for _, paint in loads), statistics.median(changes)
    check(received <= 100_000, f"a browser with an empty cache receives {received} bytes of files in one language")
    check(len(files) <= 6, f"the first view asks for {len(files)} files: {' '.join(files)}")
    check(paint <= 300, f"the first paint comes after {paint:.0f} ms (median of {ROUNDS})")
    check(seen <= 150, f"a change is seen after {seen:.0f} ms (median of {ROUNDS}; {max(changes):.0f} ms at most)")


if __name__ == "__main__":
    if is_able("figures.py"):
        run(drive)
    sys.exit(0)
