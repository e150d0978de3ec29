"""A real nginx on loopback that serves one folder, with its own configuration."""
import os
import re
import signal
import subprocess
import time

from icecast import answers, free_port, wait_for

CONFIG = """daemon off; pid {run}/nginx.pid; error_log {run}/error.log {level}; worker_processes 1; {user}
events {{ worker_connections 64; }}
http {{
  types {{ audio/mpeg mp3; }}
  log_format asked '$request_time $status "$http_range" $body_bytes_sent';
  access_log {run}/access.log asked;
  client_body_temp_path {run}/body; proxy_temp_path {run}/proxy; fastcgi_temp_path {run}/fastcgi;
  uwsgi_temp_path {run}/uwsgi; scgi_temp_path {run}/scgi;
  sendfile on; sendfile_max_chunk 8k;
  server {{ listen 127.0.0.1:{port} sndbuf=8k; root {root}; {limit} }}
}}
"""


class Nginx:
    """A server with its files in `run`. Its socket buffers are small, so that it cannot send far ahead of the
    client. `limit`: maximum bytes per second. `told`: enables the debugging log for `sent`, which works even if the
    server was killed; the log is long."""

    def __init__(self, run, root, limit=None, told=False):
        self.run, self.port = run, free_port()
        run.mkdir()
        (run / "nginx.conf").write_text(CONFIG.format(
            run=run, root=root, port=self.port, level="debug" if told else "error",
            limit=f"limit_rate {limit};" if limit else "", user="user root;" if os.geteuid() == 0 else ""))
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            ["nginx", "-e", self.run / "error.log", "-c", self.run / "nginx.conf"], start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for("nginx", lambda: answers(self.port))

    def kill(self):
        """Kills the server and its worker, like a power cut."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.kill()

    def url(self, name):
        return f"http://127.0.0.1:{self.port}/{name}"

    def finished(self):
        """-> (range, bytes of the body) for each finished request"""
        found = []
        for line in (self.run / "access.log").read_text().splitlines():
            match = re.fullmatch(r'\S+ \d+ "([^"]*)" (\d+)', line)
            found.append((match[1], int(match[2])))
        return found

    def sent(self):
        """-> (first requested byte, end of the data accepted by the kernel) for each request in the debugging log"""
        found = {}
        for line in open(self.run / "error.log", errors="replace"):
            # Process and connection together identify a request.
            match = re.search(r"\] (\d+#\d+: \*\d+) (.*)", line)
            if not match:
                continue
            name, text = match[1], match[2]
            if text.startswith('http header: "Host:'):
                found.setdefault(name, [0, 0])
            elif asked := re.match(r'http header: "Range: bytes=(-?\d+)', text):
                found[name] = [int(asked[1])] * 2
            elif (part := re.match(r"sendfile: (\d+) of \d+ @(\d+)", text)) and name in found:
                found[name][1] = int(part[1]) + int(part[2])
        return [tuple(ends) for ends in found.values() if ends[0] >= 0]


def wait_seconds(seconds, process):
    """Waits. Returns false as soon as the process has ended."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if process.poll() is not None:
            return False
        time.sleep(0.01)
    return True
