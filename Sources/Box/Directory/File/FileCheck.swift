import Glibc

enum FileCheck {
  /// Returns the checksum of a file, read in pieces (`pread(2)`). A fault of the card thus throws an error and causes
  /// no signal.
  static func sum(of file: Int32, count: Int) throws(DirectoryError) -> UInt64 {
    var sum = Checksum()
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    var place = FileLayout.checkedFrom
    while place < count {
      let wanted = min(piece.count, count - place)
      let got = pread(file, &piece, wanted, off_t(place))
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw .unreadable(errno) }
      guard got > 0 else { throw .damaged }
      piece.withUnsafeBytes { sum.append(UnsafeRawBufferPointer(rebasing: $0[..<got])) }
      place += got
    }
    return sum.value
  }
}
