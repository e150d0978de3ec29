import CLinux
import Glibc
import System

/// The cue sheet next to a recording. After a power cut its last line may be incomplete.
struct CueSheetFile: ~Copyable {
  private let file: Descriptor
  /// End of the last complete line, in bytes.
  private let end: Int

  /// Maximum size in bytes. A file of another program may have this name and any size.
  private static let maxByteCount = 4 << 20
  /// Maximum length of a line, in bytes.
  private static let maxLineByteCount = 4_096

  /// Opens the sheet, or creates it if `makes` is true; nil on failure, or if the file is not a cue sheet.
  init?(in folder: borrowing Descriptor, named name: String, makes: Bool) {
    let flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | (makes ? O_RDWR | O_CREAT : O_RDONLY)
    let file = Descriptor(openat(folder.raw, name, flags, 0o644))
    var facts = stat()
    guard file.isOpen, fstat(file.raw, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_nlink == 1,
      facts.st_size <= Self.maxByteCount
    else { return nil }
    let size = Int(facts.st_size)
    guard size == 0 || Self.isSheet(Self.bytes(of: file, 0..<min(size, 16))) else { return nil }
    let tail = max(0, size - Self.maxLineByteCount)..<size
    let last = Self.bytes(of: file, tail).lastIndex(of: UInt8(ascii: "\n"))
    guard last != nil || tail.lowerBound == 0 else { return nil }
    end = last.map { tail.lowerBound + $0 + 1 } ?? 0
    self.file = file
  }

  /// Number of tracks in complete lines; nil without a complete line.
  var trackCount: Int? {
    guard end > 0 else { return nil }
    var counter = CueSheet.TrackCounter()
    for start in stride(from: 0, to: end, by: 16_384) {
      counter.append(Self.bytes(of: file, start..<min(end, start + 16_384)))
    }
    return counter.count
  }

  /// True unless the sheet names another file of the folder that exists.
  func belongs(to recording: String, in folder: borrowing Descriptor) -> Bool {
    guard let line = CueSheetFileLine(in: Self.bytes(of: file, 0..<Self.headByteCount)) else { return true }
    return line.names(recording) || line.name.utf8.contains(UInt8(ascii: "/"))
      || faccessat(folder.raw, line.name, F_OK, AT_SYMLINK_NOFOLLOW) != 0
  }

  /// Bytes at the start that name the recording.
  private static let headByteCount = 16_384

  /// Copies the sheet for a renamed recording, with owner and mode; replaces no file. Returns false with `errno` on
  /// failure, without a copy.
  func copy(in folder: borrowing Descriptor, named name: String, for recording: String) -> Bool {
    var facts = stat()
    guard fstat(file.raw, &facts) == 0 else { return false }
    errno = EIO
    let own = Self.bytes(of: file, 0..<min(Int(facts.st_size), Self.maxByteCount))
    guard own.count == Int(facts.st_size) else { return false }
    let bytes = CueSheetFileLine(in: own)?.replaced(in: own, with: recording) ?? own
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = Descriptor(openat(folder.raw, name, flags, facts.st_mode & 0o666))
    guard file.isOpen else { return false }
    _ = fchown(file.raw, facts.st_uid, facts.st_gid)
    fchmod(file.raw, facts.st_mode & 0o666)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { bk_write(file.raw, $0.baseAddress.map { $0 + done }, bytes.count - done) }
      guard count > 0 else {
        unlinkat(folder.raw, name, 0)
        errno = count < 0 ? Int32(-count) : EIO
        return false
      }
      done += count
    }
    fsync(file.raw)
    return true
  }

  /// Truncates the file after its last complete line, or to zero bytes unless `appends`. Returns nil on failure.
  consuming func open(appends: Bool) -> Descriptor? {
    let end = off_t(appends ? self.end : 0)
    guard ftruncate(file.raw, end) == 0, lseek(file.raw, end, SEEK_SET) == end else { return nil }
    return file
  }

  private static func isSheet(_ head: [UInt8]) -> Bool {
    ["REM ", "TITLE ", "PERFORMER ", "FILE "].contains { head.starts(with: $0.utf8) }
  }

  private static func bytes(of file: borrowing Descriptor, _ range: Range<Int>) -> [UInt8] {
    // All threads share the storage of an empty array, and the initializer below would write to it.
    guard !range.isEmpty else { return [] }
    return [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      count = max(0, pread(file.raw, buffer.baseAddress, range.count, off_t(range.lowerBound)))
    }
  }
}
