import Glibc

/// Appends bytes to a file, 64 KiB at a time.
struct OutputFile {
  private static let pieceSize = 64 << 10

  private let file: Int32
  private let maxLength: Int
  /// The position of the next byte.
  private(set) var place: Int
  private var waiting: [UInt8] = []

  /// Creates a writer for an open file, from `place` to `longest` bytes. The caller closes the file.
  init(_ file: Int32, at place: Int = 0, longest: Int = FileLayout.maxFileLength) {
    self.maxLength = longest
    self.file = file
    self.place = place
  }

  /// Appends the bytes that `body` adds. Throws `.unwritable`, or `.tooLarge` before a write beyond the limit.
  mutating func write(_ body: (inout [UInt8]) -> Void) throws(DirectoryError) {
    let before = waiting.count
    body(&waiting)
    place += waiting.count - before
    guard place <= maxLength else { throw .tooLarge }
    if waiting.count >= Self.pieceSize { try flush() }
  }

  /// Writes all buffered bytes (`pwrite(2)`).
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
