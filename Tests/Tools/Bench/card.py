"""A simulated sound card with a buffer of 200 ms, which reads a FIFO. Players use ALSA device "dac"."""
import fcntl
import multiprocessing
import os
import pathlib
import signal
import time

ASOUNDRC = """pcm.dac { type plug slave { pcm "dacfile" format S16_LE rate 44100 channels 2 } }
pcm.dacfile { type file slave.pcm "null" format raw file { @func getenv vars [ DAC_FIFO ] default "/dev/null" } }
"""


class Card:
    """Reads S16/44100/2 in real time and counts underruns.

    A separate process, with SCHED_FIFO if permitted, because a real card is never late. The FIFO is limited to one page
    of 4 KiB. A player therefore wakes 43 times per second to fill it, which is a cost of this card.
    """

    RATE, BUFFER, PIPE = 44100 * 4, 35280, 4096

    def __init__(self, fifo):
        os.mkfifo(fifo)
        self.fifo, self.name = fifo, pathlib.Path(fifo).stem
        self.fd = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
        fcntl.fcntl(self.fd, 1031, self.PIPE)  # F_SETPIPE_SZ
        self.dry, self.loud = multiprocessing.Value("i", 0), multiprocessing.Value("d", 0.0)
        self.taken, self.is_over = multiprocessing.Value("q", 0), multiprocessing.Value("b", 0)
        self.process = multiprocessing.Process(target=self.run, daemon=True)
        self.process.start()

    def environment(self):
        """Returns the environment in which a player finds the device; `write_asoundrc` created it next to the FIFO."""
        return dict(os.environ, HOME=str(pathlib.Path(self.fifo).parent), DAC_FIFO=str(self.fifo))

    def seconds(self):
        """Seconds of audio received so far."""
        return self.taken.value / self.RATE

    def expect_end(self):
        """Allows silence from now on."""
        self.is_over.value = 1

    def end(self):
        self.process.kill()
        self.process.join()
        os.close(self.fd)

    def run(self):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(20))
        except PermissionError:
            pass
        held = taken = 0
        began = first = None
        last = time.monotonic()
        while True:
            now = time.monotonic()
            if began and now - last > 0.02:
                began += now - last - 0.02  # this process was late, not the audio
            last = now
            try:
                block = os.read(self.fd, self.BUFFER - held) if held < self.BUFFER else b""
            except BlockingIOError:
                block = b""
            held += len(block)
            self.taken.value += len(block)
            if not self.loud.value and any(block):
                self.loud.value = now
            if began is None:
                if held >= self.BUFFER // 2:
                    began = now
                    first = first or now
            else:
                due = int((now - began) * self.RATE) - taken
                if due > held:
                    if not self.is_over.value:
                        self.dry.value += 1
                        print(f"{self.name}: underrun {now - first:.1f} s after the first audio", flush=True)
                    began, taken = None, 0
                else:
                    held -= due
                    taken += due
            if not block:
                time.sleep(0.005)


def write_asoundrc(run):
    """Defines device "dac" for players with the home folder `run`."""
    (run / ".asoundrc").write_text(ASOUNDRC)
