"""A box with its web panel, and a page in Debian's Chromium."""
import base64
import gzip
import os
import pathlib
import re
import shutil
import socket
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Clients"))

import stage  # noqa: E402
from stage import ROOT, Box, Radio, Wire, check, skip  # noqa: E402, F401

try:
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    webdriver = None

FILES = ROOT / "config/web"
VIEWS = ("radio", "presets", "find", "episodes", "rooms", "health", "settings")


# Factor for all timeouts on slow machines.
PATIENCE = float(os.environ.get("BAKELITE_PATIENCE", 1))


def wait_for(what, test, seconds=15):
    return stage.wait_for(what, test, seconds * PATIENCE)


def is_able(what):
    """Returns true if a scriptable browser is installed; otherwise prints what is missing."""
    missing = [package for package, is_there in (
        ("chromium", shutil.which("chromium")), ("chromium-driver", shutil.which("chromedriver")),
        ("python3-selenium", webdriver)) if not is_there]
    if missing:
        skip(what, f"apt-get install {' '.join(missing)}")
    return not missing


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def page_files(folder):
    """Copies the page with its compressed forms, as in the Debian package. -> the folder of the copy"""
    page = pathlib.Path(folder) / "page"
    if not page.exists():
        shutil.copytree(FILES, page)
        for path in [path for path in sorted(page.rglob("*")) if path.is_file()]:
            path.with_name(path.name + ".gz").write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
    return page


class WebBox(Box):
    """`bakelited`, which plays to a file in real time, and `bakelite-web`. Without `output`, the settings choose the
    sink."""

    def __init__(self, stage, settings="", stations=None, options=(), output="raw", plays=True):
        self.sound, self.stations, self.options, self.plays = stage.folder / "sound", stations, options, plays
        self.port = free_port()
        super().__init__(stage, output and f"raw:{self.sound}", settings=settings)
        self.serve()

    def start(self):
        if self.stations is not None:
            (self.folder / "stations.toml").write_text(self.stations)
        output = ["--output", self.output] if self.output else []
        self.child = self.stage.child(
            [self.stage.binary.with_name("bakelited"), "--config", self.folder / "bakelite.toml", "--boards",
             ROOT / "boards", *output], "box")
        if self.plays and self.stations != "":
            wait_for("the box plays", lambda: self.value("state") == "play")
        else:
            wait_for("the box is there", lambda: self.value("state") is not None)

    def serve(self):
        self.web = self.stage.child(
            [self.stage.binary.with_name("bakelite-web"), "--listen", f"127.0.0.1:{self.port}", "--socket", self.socket,
             "--files", page_files(self.stage.folder), *self.options], "web")
        wait_for("the panel is served", lambda: socket.create_connection(("127.0.0.1", self.port)).close() or True)

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}/"

    @property
    def code(self):
        """Returns the code printed by `bakelite-web`."""
        return re.search(r"\b[A-HJ-NP-Z2-9]{8}\b", self.web.text()).group()

    def told(self, key):
        """Returns a value of `radio_status`."""
        return dict(line.split(": ", 1) for line in Wire(self.socket).ask("radio_status") if ": " in line).get(key)

    def presets(self):
        return self.names("listplaylistinfo Presets")

    def setting(self, key):
        return dict(line.split(": ", 1) for line in Wire(self.socket).ask(f"radio_setting {key}") if ": " in line)[key]

    # The recorded audio, as in class Radio.
    count, is_heard, is_quiet, loudness = Radio.count, Radio.is_heard, Radio.is_quiet, Radio.loudness
    level = staticmethod(Radio.level)


class Page:
    """A Chromium with one page."""

    def __init__(self, width=1280, height=900, language="en"):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars",
                     "--disable-background-networking", "--disable-component-update", "--mute-audio",
                     "--force-color-profile=srgb", f"--lang={language}", f"--window-size={width},{height}"):
            options.add_argument(word)
        options.add_experimental_option("prefs", {"intl.accept_languages": language})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        self.driver.set_script_timeout(20 * PATIENCE)
        self.driver.set_page_load_timeout(60 * PATIENCE)
        self.size(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def cdp(self, command, **parameters):
        return self.driver.execute_cdp_cmd(command, parameters)

    def size(self, width, height, scale=1):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                 mobile=False)

    def theme(self, scheme, motion="no-preference"):
        self.cdp("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": motion}])

    def open(self, address):
        self.driver.get(address)

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def all(self, css):
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def one(self, css):
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def text(self, css):
        """Returns the text of an element; empty if it does not exist or was just replaced."""
        try:
            return self.one(css).text
        except WebDriverException:
            return ""

    def is_shown(self, css):
        try:
            return self.one(css).is_displayed()
        except WebDriverException:
            return False

    def click(self, css, seconds=5):
        """Clicks an element as soon as it can be clicked."""
        end = time.monotonic() + seconds * PATIENCE
        while True:
            try:
                node = self.one(css)
                self.js("arguments[0].scrollIntoView({block: 'center'})", node)
                if node.is_enabled():
                    return node.click()
            except WebDriverException:
                if time.monotonic() > end:
                    raise
            if time.monotonic() > end:
                raise TimeoutError(f"{css} cannot be pressed")
            time.sleep(0.05)

    def write(self, css, text):
        node = self.one(css)
        node.clear()
        node.send_keys(text)
        return node

    def keys(self, css, *keys):
        self.one(css).send_keys(*keys)

    def view(self, name):
        """Opens a view and waits until it is shown."""
        self.js("location.hash = arguments[0]", name)
        wait_for(f"the view {name} is shown", lambda: self.js(
            "return document.documentElement.dataset.view === arguments[0]"
            " && (arguments[0] === 'radio' || document.querySelector('#view h2') !== null)", name))

    def sign_in(self, box):
        self.open(box.address)
        wait_for("it asks for the code", lambda: self.is_shown("#code"))
        self.write("#code", box.code)
        self.keys("#code", Keys.ENTER)
        wait_for("the code lets in", lambda: self.is_shown("#play") or self.is_shown("#words")
                 or self.is_shown("#view .directory"))

    def picture(self, path):
        """Saves a picture of the whole page."""
        height = self.js("return Math.ceil(document.documentElement.getBoundingClientRect().height)")
        size = self.js("return [innerWidth, Math.max(innerHeight, arguments[0])]", height)
        data = self.cdp("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                        clip={"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1})["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def complaints(self):
        """Returns the browser's errors and policy violations."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
