/// A part of a file as the body of a response. Memory: one block of `blockLength` bytes.
final class FileDownload {
  static let blockLength = 32_768

  let count: Int
  /// Called before each read, because the reader made progress.
  var onRead: () -> Void = {}
  private let file: PassedFile
  private let start: Int

  init(_ file: PassedFile, _ part: Range<Int>) { (self.file, start, count) = (file, part.lowerBound, part.count) }

  /// Copies bytes at a position of the part; nil if the file is shorter than at its start.
  func read(at position: UInt64, into room: UnsafeMutableRawBufferPointer) -> Int? {
    onRead()
    guard position < UInt64(count), !room.isEmpty else { return nil }
    let length = min(room.count, count - Int(position))
    return file.read(at: start + Int(position), into: UnsafeMutableRawBufferPointer(rebasing: room[..<length]))
  }
}
