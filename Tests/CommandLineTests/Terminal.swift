import Foundation
import TestSupport

/// A terminal of 80 × 24 that a program runs in.
final class Terminal {
  /// The program's side.
  let program: FileHandle
  private var side: Int32
  private var text = ""

  init() throws {
    var (side, program): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&side, &program, nil, nil, &size) == 0 else { throw POSIXError(.ENXIO) }
    self.side = side
    self.program = FileHandle(fileDescriptor: program, closeOnDealloc: true)
  }

  deinit { hangUp() }

  /// Closes the terminal, as one does by closing its window; nobody hears of it by a signal.
  func hangUp() {
    if side >= 0 { close(side) }
    side = -1
  }

  func press(_ keys: String) { _ = Array(keys.utf8).withUnsafeBytes { write(side, $0.baseAddress, $0.count) } }

  /// Waits until something is drawn that was not waited for yet.
  func shows(_ words: String, within seconds: Double = 10) -> Bool {
    let deadline = monotonicSeconds() + seconds
    while true {
      if let found = text.firstRange(of: words) {
        text.removeSubrange(..<found.upperBound)
        return true
      }
      let left = deadline - monotonicSeconds()
      var poll = pollfd(fd: side, events: Int16(POLLIN), revents: 0)
      guard left > 0, Glibc.poll(&poll, 1, Int32(left * 1_000) + 1) > 0 else { return false }
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = read(side, &bytes, bytes.count)
      guard count > 0 else { return false }
      text += String(decoding: bytes.prefix(count), as: UTF8.self)
    }
  }
}
