import Bakelite
import System

/// The work that other threads request, and the loop of the radio's thread.
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

  /// Requests the end after all earlier work. Any thread.
  func close() {
    contents.withLock { $0.isClosing = true }
    wake.raise()
  }

  /// Runs the radio and the requested work until it is closed. Radio's thread only.
  func serve(_ radio: Radio) {
    while true {
      // Later requests raise the flag again.
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
