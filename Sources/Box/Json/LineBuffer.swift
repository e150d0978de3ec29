/// Gathers lines from the pieces in which they come, and holds no line that is longer than it may be.
public struct LineBuffer {
  /// A line that is longer than it may be.
  public struct Overlong: Error, Equatable, Sendable {}

  private let longest: Int
  private var bytes: [UInt8] = []
  /// What before it was taken.
  private var start = 0
  /// Before it there is no end of a line that was not taken.
  private var searched = 0

  /// A buffer for lines of so many bytes at most, without their ends.
  public init(longest: Int) { self.longest = longest }

  /// Takes a piece of what came. Lines are to be taken before the next piece comes.
  public mutating func append(_ piece: Span<UInt8>) {
    bytes.removeFirst(start)
    searched -= start
    start = 0
    piece.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
  }

  /// The next whole line, without its end: a line feed, and a carriage return before it; nil where none is there yet.
  ///
  /// - Throws: `Overlong` where the line is longer than it may be, whole or not; no line behind it is told.
  public mutating func next() throws(Overlong) -> [UInt8]? {
    guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = bytes.count
      if bytes.count - start > longest + 1 { throw Overlong() }
      return nil
    }
    var line = bytes[start..<end]
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    guard line.count <= longest else { throw Overlong() }
    start = end + 1
    searched = start
    if start == bytes.count { (bytes, start, searched) = ([], 0, 0) }
    return Array(line)
  }
}
