import Blocks

/// Splits a stream into packets: MPEG audio, ADTS, Ogg, FLAC or WAV. One thread at a time.
public struct StreamFramer: ~Copyable {
  private var packets = PacketFramer()
  private var ogg: OggFramer?
  private var flac: FlacFramer?
  private var wav: WavReader?
  /// Format set by `open`. All formats except Ogg, FLAC and WAV are read as plain packets.
  public private(set) var form = StreamContainer.packed

  /// Creates a framer for plain packets.
  public init() {}

  /// Starts a new stream in the format `form`.
  public mutating func open(_ form: StreamContainer, followsGap: Bool) {
    self.form = form
    switch form {
    case .ogg: ogg = OggFramer()
    case .flac: flac = FlacFramer()
    case .wav: wav = WavReader()
    case .packed, .latm, .transport, .fragments: break
    }
    reset(followsGap: followsGap)
  }

  /// Restarts the stream, or continues at byte `offset` with the facts from its headers.
  public mutating func reset(followsGap: Bool, at offset: Int = 0) {
    switch form {
    case .ogg: ogg?.reset(followsGap: followsGap, at: offset)
    case .flac: flac?.reset(followsGap: followsGap, at: offset)
    case .wav: wav?.reset(followsGap: followsGap, at: offset)
    case .packed, .latm, .transport, .fragments: packets.reset(followsGap: followsGap, at: offset)
    }
  }

  /// Appends as many bytes as fit and returns their number. Call `next` until it needs more, then append the rest.
  public mutating func append(_ bytes: Span<UInt8>) -> Int {
    switch form {
    case .ogg: ogg?.append(bytes) ?? bytes.count
    case .flac: flac?.append(bytes) ?? bytes.count
    case .wav: wav?.append(bytes) ?? bytes.count
    case .packed, .latm, .transport, .fragments: packets.append(bytes)
    }
  }

  /// Marks the end of the stream.
  public mutating func finish() {
    switch form {
    case .ogg: ogg?.finish()
    case .flac: flac?.finish()
    case .wav: wav?.finish()
    case .packed, .latm, .transport, .fragments: packets.finish()
    }
  }

  /// Returns the next item. A packet is passed to `body` in place.
  public mutating func next(_ body: (PacketInfo, Span<UInt8>) -> Void) -> Framed {
    switch form {
    case .ogg: ogg?.next(body) ?? .needsMore
    case .flac: flac?.next(body) ?? .needsMore
    case .wav: wav?.next(body) ?? .needsMore
    case .packed, .latm, .transport, .fragments: packets.next(body) ? .packet : .needsMore
    }
  }
}

extension StreamFramer {
  /// Reason why the stream cannot be played; nil if no reason is known.
  public var refusal: RefusedCodec? {
    mutating get {
      switch form {
      case .ogg: ogg?.refusal
      case .flac: flac?.refusal
      case .wav: wav?.refusal
      case .packed, .latm, .transport, .fragments: nil
      }
    }
  }

  /// Buffered bytes of Ogg, FLAC or WAV that may become packets; 0 for plain packets.
  public var heldByteCount: Int {
    mutating get {
      switch form {
      case .ogg: ogg?.heldByteCount ?? 0
      case .flac: flac?.heldByteCount ?? 0
      case .wav: wav?.heldByteCount ?? 0
      case .packed, .latm, .transport, .fragments: 0
      }
    }
  }

  /// Remaining bytes of a tag or another part without audio, which the caller may skip.
  public var absentByteCount: Int {
    mutating get {
      switch form {
      case .flac: flac?.absentByteCount ?? 0
      case .wav: wav?.absentByteCount ?? 0
      case .ogg: 0
      case .packed, .latm, .transport, .fragments: packets.absentTagByteCount
      }
    }
  }

  /// Skips the `absentByteCount` bytes.
  public mutating func passAbsent() {
    switch form {
    case .flac: flac?.passAbsent()
    case .wav: wav?.passAbsent()
    case .ogg: break
    case .packed, .latm, .transport, .fragments: packets.passAbsentTag()
    }
  }

  /// Facts from the headers of a file; nil for plain packets, and before the headers.
  public var facts: FramedFacts? {
    mutating get {
      switch form {
      case .ogg: ogg?.facts
      case .flac: flac?.facts.map { FramedFacts($0) }
      case .wav: wav?.facts.map { FramedFacts($0) }
      case .packed, .latm, .transport, .fragments: nil
      }
    }
  }

  /// Bytes of Ogg, FLAC or WAV skipped as damage so far; 0 for plain packets.
  public var skippedByteCount: Int {
    mutating get {
      switch form {
      case .ogg: ogg?.skippedByteCount ?? 0
      case .flac: flac?.skippedByteCount ?? 0
      case .wav: wav?.skippedByteCount ?? 0
      case .packed, .latm, .transport, .fragments: 0
      }
    }
  }

  /// Bytes of tags skipped so far between plain packets.
  public var taggedByteCount: Int { packets.taggedByteCount }

  /// Bytes of plain packets received after the last tag, or since the start of the stream.
  public var untaggedByteCount: Int { packets.untaggedByteCount }
}
