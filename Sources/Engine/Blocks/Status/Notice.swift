import Units

/// Encodes the values of an event's payload, one after the other, into the caller's bytes.
public struct NoticeEncoder: ~Copyable {
  private let bytes: UnsafeMutableRawBufferPointer
  private var used = 0

  /// Creates an encoder over `bytes`.
  public init(_ bytes: UnsafeMutableRawBufferPointer) { self.bytes = bytes }

  /// The bytes written so far.
  public var payload: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[0..<used]) }

  /// Appends a number, or drops the number if the bytes are full.
  public mutating func append(_ value: Int) {
    guard used + 8 <= bytes.count else { return }
    bytes.storeBytes(of: Int64(value), toByteOffset: used, as: Int64.self)
    used += 8
  }

  /// Appends a time.
  public mutating func append(_ value: StreamTime) { append(Int(value.ticks)) }

  /// Appends text or nil. Text that does not fit is cut between two code points.
  public mutating func append(_ text: String?) {
    guard var text else {
      append(-1)
      return
    }
    let room = max(0, bytes.count - used - 8)
    text.withUTF8 { source in
      var count = min(source.count, room)
      while count > 0, count < source.count, source[count] & 0xC0 == 0x80 { count -= 1 }
      append(count)
      UnsafeMutableRawBufferPointer(rebasing: bytes[used...])
        .copyMemory(from: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: source[..<count])))
      used = min(used + (count + 7) & ~7, bytes.count)
    }
  }
}

/// Decodes the values of an event's payload in the order of their encoding.
public struct NoticeDecoder {
  private let bytes: UnsafeRawBufferPointer
  private var used = 0

  /// Creates a decoder of `bytes`, which must stay valid.
  public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Returns the next number; 0 at the end.
  public mutating func int() -> Int {
    guard used + 8 <= bytes.count else { return 0 }
    defer { used += 8 }
    return Int(bytes.loadUnaligned(fromByteOffset: used, as: Int64.self))
  }

  /// Returns the next time.
  public mutating func time() -> StreamTime { StreamTime(ticks: Int64(int())) }

  /// Returns the next text; nil if nil was encoded or the length is invalid.
  public mutating func text() -> String? {
    let count = int()
    guard count >= 0, count <= bytes.count - used else { return nil }
    defer { used = min(bytes.count, used + (count + 7) & ~7) }
    return String(decoding: bytes[used..<(used + count)], as: UTF8.self)
  }
}
