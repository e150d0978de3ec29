import CLinux
import Glibc
import Rendering
import System
import Units

/// A file, pipe or standard output for PCM. Control thread only.
struct SoundFile: ~Copyable {
  private let path: String
  private let file: Descriptor
  var descriptor: Int32 { file.raw }
  let isPipe: Bool
  /// True if the path can be reopened after its reader left. False for an anonymous pipe, whose path (/dev/stdout,
  /// /dev/fd/63) names only this process's descriptor.
  let isNamedPipe: Bool
  let isWav: Bool
  private var format: PcmFormat?

  /// Opens `path`; "-" is standard output. Never waits: throws `noReader` for a pipe without a reader. Creates a
  /// missing file, but throws `pipeGone` if a pipe was there before (`isPipeAgain`). `begin` empties an existing file.
  init(_ path: String, isWav: Bool, isPipeAgain: Bool = false) throws(SinkError) {
    let file = Descriptor(
      path == "-" ? dup(STDOUT_FILENO) : Self.open(path, isPipeAgain ? O_NOCTTY : O_CREAT))
    guard file.isOpen else { throw Self.error(path, errno, isPipeAgain: isPipeAgain) }
    var facts = stat()
    let kind = fstat(file.raw, &facts) == 0 ? facts.st_mode & S_IFMT : S_IFREG
    guard kind == S_IFIFO || !isPipeAgain else { throw .pipeGone(path: path) }
    guard isatty(file.raw) == 0 else { throw .terminal(path: path) }
    isPipe = kind != S_IFREG
    isNamedPipe = kind == S_IFIFO && path != "-" && !bk_is_anonymous_pipe(path)
    self.file = file
    self.path = path
    self.isWav = isWav
  }

  init(_ path: String, feed: consuming Descriptor) {
    (isPipe, isNamedPipe, isWav) = (true, true, false)
    file = feed
    self.path = path
  }

  /// Opens without blocking, then makes the descriptor blocking; negative with errno on failure.
  private static func open(_ path: String, _ flags: Int32) -> Int32 {
    let file = Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | flags, 0o644)
    if file >= 0 { _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK) }
    return file
  }

  private static func error(_ path: String, _ code: Int32, isPipeAgain: Bool) -> SinkError {
    var facts = stat()
    if isPipeAgain, code == ENOENT { return .pipeGone(path: path) }
    let isFifo = code == ENXIO && stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO
    return isFifo ? .noReader(path: path) : .fileFailed(path: path, errno: code)
  }

  /// Sets the format, once. A WAV file's header is written at once, and `finish` corrects its sizes. A pipe's header is
  /// returned, because its reader may have stalled.
  mutating func begin(_ format: PcmFormat) throws(SinkError) -> [UInt8] {
    guard self.format == nil else { return [] }
    self.format = format
    if !isPipe, path != "-" { ftruncate(descriptor, 0) }
    guard isWav else { return [] }
    let header = Self.header(format, dataByteCount: nil)
    if isPipe { return header }
    try write(header)
    return []
  }

  /// Writes a WAV file's final sizes if the file is seekable.
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

  /// Returns a canonical RIFF header; an unknown or too large size is all ones.
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
