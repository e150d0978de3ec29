import Bakelite
import System

/// The work that other threads request, and the control thread's loop.
final class WorkQueue: Sendable {
  typealias Work = @Sendable (Radio) -> Void

  private struct Contents {
    var work: [Work] = []
    var isClosing = false
  }

  private let contents = Locked(Contents())
  private let wake = WakeFlag()
  private let clock: Clock

  init(_ clock: Clock) {
    precondition(wake.isOpen, "the kernel gives a flag to wake a thread with")
    self.clock = clock
  }

  /// Requests work. Any thread.
  func post(_ work: @escaping Work) {
    contents.withLock { $0.work.append(work) }
    wake.raise()
  }

  /// Requests the end of `serve` after all earlier work. Any thread.
  func close() {
    contents.withLock { $0.isClosing = true }
    wake.raise()
  }

  /// Runs the radio and the requested work until `close`; a closed radio still serves work. Control thread only.
  func serve(_ radio: Radio) {
    while true {
      // Before the queue is read, because a later request raises the flag again.
      wake.clear()
      let now = contents.withLock { contents in
        defer { contents.work = [] }
        return contents
      }
      for work in now.work { work(radio) }
      if now.isClosing {
        _ = radio.close()
        return
      }
      if radio.isClosed {
        wake.wait(.forever, by: clock)
      } else {
        radio.step(Duration(milliseconds: 1_000), watching: wake.descriptor)
      }
    }
  }
}
