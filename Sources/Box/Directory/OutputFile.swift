import Glibc

/// Writes bytes in a row to a place of a file, 64 KiB at a time.
struct OutputFile {
  private static let pieceSize = 64 << 10

  private let file: Int32
  private let longest: Int
  /// Where the next byte goes.
  private(set) var place: Int
  private var waiting: [UInt8] = []

  /// Writes to an open file from `place` on, up to `longest`; its owner keeps it open.
  init(_ file: Int32, at place: Int = 0, longest: Int = FileLayout.longest) {
    self.longest = longest
    self.file = file
    self.place = place
  }

  /// Writes what `body` adds.
  ///
  /// - Throws: `.unwritable`; `.tooLarge` where the file would become longer; then it is not written.
  mutating func write(_ body: (inout [UInt8]) -> Void) throws(DirectoryError) {
    let before = waiting.count
    body(&waiting)
    place += waiting.count - before
    guard place <= longest else { throw .tooLarge }
    if waiting.count >= Self.pieceSize { try flush() }
  }

  /// Hands all to the kernel (`pwrite(2)`).
  mutating func flush() throws(DirectoryError) {
    var done = 0
    let start = place - waiting.count
    while done < waiting.count {
      let count = waiting.withUnsafeBytes {
        pwrite(file, $0.baseAddress.map { $0 + done }, $0.count - done, off_t(start + done))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .unwritable(count < 0 ? errno : EIO) }
      done += count
    }
    waiting.removeAll(keepingCapacity: true)
  }
}
