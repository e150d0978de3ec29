"""An SD card with the radio's image on it, as an owner prepares it, for QEMU's board."""
import pathlib
import subprocess

GUEST = pathlib.Path(__file__).resolve().parent.parent / "board/guest"
CARD_MIB = 4096


def owner(place, *words):
    """mtools on the boot partition, as another computer changes it."""
    subprocess.run(["mcopy", "-o", "-i", place, *words], check=True, stdout=subprocess.DEVNULL)


class Card:
    """A card of 4 GB; `boot` is how a board's loader would start it."""

    def __init__(self, image, folder):
        self.path, self.folder = folder / "card.img", folder
        subprocess.run(["cp", "--sparse=always", image, self.path], check=True)
        with open(self.path, "r+b") as file:
            file.truncate(CARD_MIB << 20)
        self.place = f"{self.path}@@4M"
        for name in ["vmlinuz", "initrd.img", "cmdline.txt"]:
            owner(self.place, f"::{name}", folder / name)
        # An emulated processor is late, which is no reason to give a partition up; the kernel's errors are to be seen.
        words = (folder / "cmdline.txt").read_text().strip() + " systemd.default_device_timeout_sec=600 loglevel=4"
        self.boot = folder / "vmlinuz", folder / "initrd.img", words

    def settle(self, more=""):
        """The owner's settings, board and stations. What is remembered stays where the image keeps it."""
        settings = (GUEST / "bakelite.toml").read_text().split("[state]")[0] + more
        (self.folder / "bakelite.toml").write_text(settings)
        owner(self.place, self.folder / "bakelite.toml", GUEST / "stations.toml", "::")
        owner(self.place, GUEST / "virtual.toml", "::boards/")

    def data(self):
        """A copy of the data partition in a file, and its size in bytes."""
        told = subprocess.run(["sfdisk", "--dump", self.path], check=True, capture_output=True, text=True).stdout
        line = next(line for line in told.splitlines() if line.startswith(f"{self.path}3"))
        start, size = (int(line.split(word)[1].split(",")[0]) for word in ("start=", "size="))
        data = self.folder / "data.img"
        subprocess.run(["dd", f"if={self.path}", f"of={data}", "bs=512", f"skip={start}", f"count={size}",
                        "conv=sparse", "status=none"], check=True)
        return data, size * 512
