#!/usr/bin/env python3
"""Measures `bakelite find` with 40,000 generated stations: an update from a local server, and searches.
Usage: find.py BAKELITE DIRECTORY-BENCH [STATIONS]"""
import gzip
import http.server
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

# Limits. Memory is relative to an idle program.
UPDATE_KIB, SEARCH_KIB, SEARCH_S, SIZE = 12 * 1024, 2 * 1024, 0.25, 8_000_000


def run(environment, *command):
    """-> maximum anonymous memory in KiB, seconds, CPU seconds, output"""
    before, start = os.times(), time.monotonic()
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    seen = []
    while process.poll() is None:
        try:
            with open(f"/proc/{process.pid}/status") as status:
                seen += [int(line.split()[1]) for line in status if line.startswith("RssAnon")]
        except (OSError, ProcessLookupError):
            pass
        time.sleep(0.0005)
    after, said = os.times(), process.stdout.read()
    if process.returncode:
        sys.exit(f"{' '.join(command)} failed: {said}")
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return max(seen, default=0), time.monotonic() - start, used, said


def serve(bodies):
    """Serves these gzipped bodies by path. -> the server's address"""
    packed = {path: gzip.compress(body) for path, body in bodies.items()}

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            body = packed.get(self.path)
            self.send_response(200 if body else 404)
            if body:
                self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}", {path: len(body) for path, body in packed.items()}


def main():
    program, bench = sys.argv[1:3]
    count = sys.argv[3] if len(sys.argv) > 3 else "40000"
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        environment = {"PATH": "/usr/bin:/bin", "HOME": name, "XDG_CACHE_HOME": name}
        settings = folder / "bakelite.toml"
        settings.write_text(f'[directory]\npath = "{folder}/directory"\n')
        config = ("--config", str(settings))
        bodies = {}
        for form in ("csv", "xml"):
            subprocess.run([bench, "list", form, count, folder / form], check=True)
            bodies[form] = (folder / form).read_bytes()
        for form in ("csv", "xml"):
            # The idle program is `--version`; the lowest of 15 peaks counts.
            idle = min(run(environment, program, "--version")[0] or 10**9 for _ in range(15))
            url, sizes = serve({f"/{form}/stations": bodies[form]})
            (folder / "directory").unlink(missing_ok=True)
            peak, took, used, said = run(environment, program, "find", "--update", "--mirror", url, *config)
            size = (folder / "directory").stat().st_size
            print(said.splitlines()[-1])
            print(f"  from {form.upper()}: {len(bodies[form]):,} bytes, {sizes[f'/{form}/stations']:,} gzipped; "
                  f"{took:.2f} s, {used:.2f} s of CPU time, {peak - idle:,} KiB more than an idle program; "
                  f"file {size:,} bytes")
            wrong += [f"{peak - idle:,} KiB for an update"] if peak - idle > UPDATE_KIB else []
            wrong += [f"a file of {size:,} bytes"] if size > SIZE and int(count) <= 40_000 else []
        for words in (["radio"], ["jazz", "germany"], ["jaz", "germny"], ["--country", "DE"], []):
            runs = [run(environment, program, "find", *words, *config)[:2] for _ in range(9)]
            peak, took = max(peak for peak, _ in runs), sorted(took for _, took in runs)[4]
            print(f"  find {' '.join(words)}: {took * 1000:.0f} ms from the program's start to its end, "
                  f"{peak - idle:,} KiB more")
            wrong += [f"{took:.2f} s for a search"] if took > SEARCH_S else []
            wrong += [f"{peak - idle:,} KiB for a search"] if peak - idle > SEARCH_KIB else []
    for what in wrong:
        print(f"Limit exceeded: {what}")
    return 1 if wrong else 0


sys.exit(main())
