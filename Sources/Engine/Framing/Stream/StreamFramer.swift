import Blocks

/// Splits a stream into packets. One thread at a time.
public protocol StreamFramer: ~Copyable {
  /// Restarts the stream, or continues at byte `offset` with the facts from its headers.
  mutating func reset(followsGap: Bool, at offset: Int)

  /// Sets the length of the file in bytes. A tag that states a later end is then garbage.
  mutating func limit(to byteCount: Int)

  /// Appends as many bytes as fit and returns their number. Call `next` until it needs more, then append the rest.
  mutating func append(_ bytes: Span<UInt8>) -> Int

  /// Marks the end of the stream.
  mutating func finish()

  /// Returns the next item. A packet is passed to `body` in place.
  mutating func next(_ body: (PacketInfo, Span<UInt8>) -> Void) -> Framed

  /// Skips the `absentByteCount` bytes.
  mutating func passAbsent()

  /// Continues at a place of an earlier connection, if the first audio is the next of the same stream. Call before the
  /// first packet.
  mutating func resume(after place: OggPlace)

  /// The place where another connection can continue; nil before the first packet, and without Ogg.
  var place: OggPlace? { get }

  /// Remaining bytes of a tag or another part without audio, which the caller may skip.
  var absentByteCount: Int { get }

  /// Bytes skipped as damage so far.
  var skippedByteCount: Int { get }

  /// Reason why the stream cannot be played; nil if no reason is known.
  var refusal: RefusedCodec? { get }

  /// Buffered bytes of a container that may become packets; 0 for plain packets.
  var heldByteCount: Int { get }

  /// Facts from the headers of a file; nil for plain packets, and before the headers.
  var facts: FramedFacts? { get }

  /// True if pages of an Ogg stream arrived, but no headers.
  var isHeadless: Bool { get }

  /// Number of links since the last packet, the current one included; 0 for formats without links.
  var soundlessLinkCount: Int { get }

  /// Bytes of tags skipped so far between plain packets; 0 for containers.
  var taggedByteCount: Int { get }

  /// Bytes of plain packets received after the last tag, or since the start of the stream; 0 for containers.
  var untaggedByteCount: Int { get }
}

extension StreamFramer where Self: ~Copyable {
  /// Ignores the length.
  public mutating func limit(to byteCount: Int) {}

  /// Ignores the place.
  public mutating func resume(after place: OggPlace) {}

  /// Skips 0 bytes.
  public mutating func passAbsent() {}

  /// Nil by default.
  public var place: OggPlace? { nil }
  /// Zero by default.
  public var absentByteCount: Int { 0 }
  /// Nil by default.
  public var refusal: RefusedCodec? { nil }
  /// Zero by default.
  public var heldByteCount: Int { 0 }
  /// False by default.
  public var isHeadless: Bool { false }
  /// Zero by default.
  public var soundlessLinkCount: Int { 0 }
  /// Nil by default.
  public var facts: FramedFacts? { nil }
  /// Zero by default.
  public var taggedByteCount: Int { 0 }
  /// Zero by default.
  public var untaggedByteCount: Int { 0 }
}
