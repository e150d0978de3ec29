"""Runs measurements at the same time."""
import multiprocessing
import sys


def together(jobs):
    """Runs functions in processes of their own, so that no measurement waits for another. -> their results"""
    def run(job, wire):
        wire.send(job())

    results = []
    for job in jobs:
        ours, theirs = multiprocessing.Pipe(False)
        process = multiprocessing.get_context("fork").Process(target=run, args=(job, theirs))
        process.start()
        theirs.close()
        results.append((process, ours))
    try:
        return [wire.recv() for _, wire in results]
    except EOFError:
        sys.exit("A measurement failed.")
    finally:
        for process, _ in results:
            process.terminate()
