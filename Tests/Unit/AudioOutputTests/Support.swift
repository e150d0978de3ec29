import AudioOutput
import Blocks
import Foundation
import SinkBench
import Units

extension OutputRequest {
  /// An unpaced sink that accepts audio without waiting.
  static func free(_ kind: Kind) -> OutputRequest {
    var request = OutputRequest(kind)
    request.isPaced = false
    return request
  }
}

extension SinkBench {
  var sinkError: Int32 { board.pointee.sinkError.load(ordering: .acquiring) }
  var heard: StreamTime { StreamTime(ticks: board.pointee.heard.load(ordering: .acquiring)) }
}

/// 24-bit samples with at most 16 significant bits.
enum Pcm {
  static func noise(_ frames: Int) -> [Int32] {
    (0..<(frames * 2)).map { (Int32(truncatingIfNeeded: $0 &* 2_654_435_761) >> 16) << 8 }
  }

  static func s16le(_ samples: [Int32]) -> [UInt8] {
    samples.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0 >> 16)] }
  }

  static func samples(_ bytes: [UInt8]) -> [Int16] {
    stride(from: 0, to: bytes.count, by: 2).map { Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8) }
  }
}

/// The 44 bytes of a canonical WAV header.
enum Wav {
  static func header(hertz: Int32, channels: Int, width: Int, length: Int) -> [UInt8] {
    var data = Data("RIFF".utf8)
    data.append(UInt32(36 + length))
    data += Data("WAVEfmt ".utf8)
    data.append(UInt32(16))
    data.append(UInt16(1))
    data.append(UInt16(channels))
    data.append(UInt32(hertz))
    data.append(UInt32(Int(hertz) * channels * width))
    data.append(UInt16(channels * width))
    data.append(UInt16(width * 8))
    data += Data("data".utf8)
    data.append(UInt32(length))
    return Array(data)
  }
}

extension Data {
  fileprivate mutating func append(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}

/// A file in its own folder, removed with this object.
final class TemporaryFile {
  private let folder: URL
  let path: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "bakelite-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appending(path: "sound").path
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }
}

/// A named pipe, open for reading.
final class NamedPipe: @unchecked Sendable {
  private let file: TemporaryFile
  private var descriptor: Int32
  var path: String { file.path }

  init(capacity: Int32? = nil) throws {
    file = try TemporaryFile()
    guard mkfifo(file.path, 0o600) == 0 else { throw POSIXError(.EIO) }
    descriptor = open(file.path, O_RDONLY | O_NONBLOCK)
    guard descriptor >= 0 else { throw POSIXError(.EIO) }
    if let capacity { _ = fcntl(descriptor, 1_031, capacity) }  // F_SETPIPE_SZ
    _ = fcntl(descriptor, F_SETFL, 0)
  }

  deinit { close() }

  func reopen() throws {
    descriptor = open(file.path, O_RDONLY | O_NONBLOCK)
    guard descriptor >= 0 else { throw POSIXError(.EIO) }
  }

  func close() {
    if descriptor >= 0 { _ = Foundation.close(descriptor) }
    descriptor = -1
  }

  /// Reads until `count` bytes or the end.
  func read(_ count: Int, atOnce: Int = 65_536, every pause: useconds_t = 0) -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: atOnce)
    while bytes.count < count {
      let got = Foundation.read(descriptor, &part, min(atOnce, count - bytes.count))
      guard got > 0 else { break }
      bytes += part[..<got]
      if pause > 0 { usleep(pause) }
    }
    return bytes
  }

  /// True if a writer has the pipe open, or if the pipe has data. Consumes one byte.
  var hasWriter: Bool {
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    defer { _ = fcntl(descriptor, F_SETFL, 0) }
    var byte: UInt8 = 0
    return Foundation.read(descriptor, &byte, 1) != 0
  }

  /// Reads up to `count` available bytes without waiting.
  func readWaiting(_ count: Int) -> [UInt8] {
    var waiting: Int32 = 0
    guard ioctl(descriptor, UInt(FIONREAD), &waiting) == 0, waiting > 0 else { return [] }
    return read(min(count, Int(waiting)))
  }

  /// Reads slower than a free sink writes, on its own thread. The returned closure waits for the last byte.
  func readSlowly(_ count: Int) -> () -> [UInt8] {
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var bytes: [UInt8] = []
    Thread { [self] in
      bytes = read(count, atOnce: 3_000, every: 1_000)
      done.signal()
    }.start()
    return {
      done.wait()
      return bytes
    }
  }
}
