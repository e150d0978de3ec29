import Bakelite
import System

/// The work that other threads want done with a radio, and the turns of the thread that owns it.
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

  /// Asks for some work; any thread's.
  func post(_ work: @escaping Work) {
    contents.withLock { $0.work.append(work) }
    wake.raise()
  }

  /// Asks for the end, after the work that was asked for before; any thread's.
  func close() {
    contents.withLock { $0.isClosing = true }
    wake.raise()
  }

  /// Goes round with the radio and does the work that comes, until it is closed. The radio's thread's.
  func serve(_ radio: Radio) {
    while true {
      // What comes after this raises the flag again.
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
