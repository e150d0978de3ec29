/// Assembles lines from pieces, up to a maximum length.
public struct LineBuffer {
  /// A line exceeds the maximum length.
  public struct Overlong: Error, Equatable, Sendable {}

  private let maxLength: Int
  private var bytes: [UInt8] = []
  /// Index of the first byte not consumed.
  private var start = 0
  private var searched = 0

  /// Creates a buffer; `maxLength` is the maximum length of a line in bytes, without its end.
  public init(longest: Int) { self.maxLength = longest }

  /// Appends received bytes. Consume all lines before the next piece.
  public mutating func append(_ piece: Span<UInt8>) {
    bytes.removeFirst(start)
    searched -= start
    start = 0
    piece.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
  }

  /// Returns the next complete line without its line feed and carriage return; nil if no line is complete. Throws if a
  /// complete or incomplete line exceeds the limit; later lines are not returned.
  public mutating func next() throws(Overlong) -> [UInt8]? {
    guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = bytes.count
      if bytes.count - start > maxLength + 1 { throw Overlong() }
      return nil
    }
    var line = bytes[start..<end]
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    guard line.count <= maxLength else { throw Overlong() }
    start = end + 1
    searched = start
    if start == bytes.count { (bytes, start, searched) = ([], 0, 0) }
    return Array(line)
  }
}
