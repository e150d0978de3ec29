import CLinux
import Glibc
import Rendering
import Units

/// A file, a pipe or standard output that takes PCM; the control thread's. Its end closes it.
struct SoundFile: ~Copyable {
  private let path: String
  let descriptor: Int32
  let isPipe: Bool
  let isWav: Bool
  private var format: PcmFormat?

  /// Opens, and empties, what is at `path`; "-" is standard output.
  init(_ path: String, isWav: Bool) throws(SinkError) {
    let file = path == "-" ? dup(STDOUT_FILENO) : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw .fileFailed(path: path, errno: errno) }
    var facts = stat()
    isPipe = fstat(file, &facts) == 0 && facts.st_mode & S_IFMT != S_IFREG
    descriptor = file
    self.path = path
    self.isWav = isWav
  }

  deinit { close(descriptor) }

  /// Settles the format, once, and writes a WAV header for it; sizes are filled in by `finish`.
  mutating func begin(_ format: PcmFormat) throws(SinkError) {
    guard self.format == nil else { return }
    self.format = format
    if isWav { try write(Self.header(format, dataByteCount: nil)) }
  }

  /// Writes a WAV file's true sizes, where it can be gone back to.
  mutating func finish() throws(SinkError) {
    guard isWav, !isPipe, let format else { return }
    let end = lseek(descriptor, 0, SEEK_END)
    guard end >= Self.headerByteCount, lseek(descriptor, 0, SEEK_SET) == 0 else { return }
    try write(Self.header(format, dataByteCount: Int(end) - Self.headerByteCount))
    lseek(descriptor, 0, SEEK_END)
  }

  private func write(_ bytes: [UInt8]) throws(SinkError) {
    var done = 0
    while done < bytes.count {
      let written = bytes.withUnsafeBytes { bk_write(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done) }
      guard written > 0 else { throw .fileFailed(path: path, errno: Int32(-written)) }
      done += written
    }
  }

  private static let headerByteCount = 44

  /// A canonical RIFF header; a length that is not known, or too great for 32 bits, is all ones.
  private static func header(_ format: PcmFormat, dataByteCount: Int?) -> [UInt8] {
    let width = format.samples.byteCount()
    let rate = Int(format.rate.hertz)
    let total = dataByteCount.flatMap { UInt32(exactly: $0 + 36) }
    func four(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    func two(_ value: Int) -> [UInt8] { [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)] }
    return Array("RIFF".utf8) + four(total ?? .max) + Array("WAVEfmt ".utf8) + four(16) + two(1)
      + two(format.channels) + four(UInt32(rate)) + four(UInt32(rate * width * format.channels))
      + two(width * format.channels) + two(width * 8) + Array("data".utf8) + four(total.map { $0 - 36 } ?? .max)
  }
}
