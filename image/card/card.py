"""An SD card with the radio's image, prepared like an owner does, for QEMU's board."""
import pathlib
import subprocess

GUEST = pathlib.Path(__file__).resolve().parent.parent / "board/guest"
CARD_MIB = 4096


def owner(place, *words):
    """Copies a file to or from the boot partition, like another computer."""
    subprocess.run(["mcopy", "-o", "-i", place, *words], check=True, stdout=subprocess.DEVNULL)


class Card:
    """A card of 4 GB. boot: kernel, initramfs and kernel command line, like a board's loader reads them."""

    def __init__(self, image, folder):
        self.path, self.folder = folder / "card.img", folder
        subprocess.run(["cp", "--sparse=always", image, self.path], check=True)
        with open(self.path, "r+b") as file:
            file.truncate(CARD_MIB << 20)
        self.place = f"{self.path}@@4M"
        for name in ["vmlinuz", "initrd.img", "cmdline.txt"]:
            owner(self.place, f"::{name}", folder / name)
        # On a slow emulated processor, a partition must not time out. loglevel=4 shows the kernel's errors.
        words = (folder / "cmdline.txt").read_text().strip() + " systemd.default_device_timeout_sec=600 loglevel=4"
        self.boot = folder / "vmlinuz", folder / "initrd.img", words

    def settle(self, more=""):
        """Writes the owner's settings, board and stations to the card. The saved state stays in the image's folder."""
        settings = (GUEST / "bakelite.toml").read_text().split("[state]")[0] + more
        (self.folder / "bakelite.toml").write_text(settings)
        owner(self.place, self.folder / "bakelite.toml", GUEST / "stations.toml", "::")
        owner(self.place, GUEST / "virtual.toml", "::boards/")

    def data(self):
        """Copies the data partition to a file. Returns the file and its size in bytes."""
        told = subprocess.run(["sfdisk", "--dump", self.path], check=True, capture_output=True, text=True).stdout
        line = next(line for line in told.splitlines() if line.startswith(f"{self.path}3"))
        start, size = (int(line.split(word)[1].split(",")[0]) for word in ("start=", "size="))
        data = self.folder / "data.img"
        subprocess.run(["dd", f"if={self.path}", f"of={data}", "bs=512", f"skip={start}", f"count={size}",
                        "conv=sparse", "status=none"], check=True)
        return data, size * 512
