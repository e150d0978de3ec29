import Glibc
import System

/// A file that the radio opened and passed over its socket. The panel needs no right for the file's folder.
final class PassedFile: Sendable {
  let byteCount: Int
  /// The entity tag (RFC 9110, section 8.8.3), which changes with the file.
  let tag: String
  private let file: Descriptor

  /// Adopts an open descriptor; nil if it is not an ordinary file.
  init?(_ file: consuming Descriptor) {
    var facts = stat()
    guard file.isOpen, fstat(file.raw, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    byteCount = max(0, Int(facts.st_size))
    let change = [facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec, Int(facts.st_size)]
    let words = [String(facts.st_ino, radix: 16)] + change.map { String($0, radix: 16) }
    tag = "\"\(words.joined(separator: "-"))\""
    self.file = file
  }

  /// Reads bytes at an offset (`pread(2)`). Returns their number, at least one; nil if the file ends there.
  func read(at offset: Int, into room: UnsafeMutableRawBufferPointer) -> Int? {
    while true {
      let count = pread(file.raw, room.baseAddress, room.count, off_t(offset))
      if count < 0, errno == EINTR { continue }
      return count > 0 ? count : nil
    }
  }
}
