import Blocks

/// Cuts a stream into packets, whatever it is: MPEG audio and ADTS one after the other, Ogg, FLAC or WAV. One thread at
/// a time.
public struct StreamFramer: ~Copyable {
  private var packets = PacketFramer()
  private var ogg: OggFramer?
  private var flac: FlacFramer?
  private var wav: WavReader?
  /// What it is; packets one after the other where it is none of the three.
  public private(set) var form = StreamContainer.packed

  /// A framer at the beginning of a stream of packets.
  public init() {}

  /// The stream is of that form, from its first byte on; it begins again.
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

  /// The stream begins again, or goes on at its byte `offset`: then what its headers told holds on.
  public mutating func reset(followsGap: Bool, at offset: Int = 0) {
    switch form {
    case .ogg: ogg?.reset(followsGap: followsGap, at: offset)
    case .flac: flac?.reset(followsGap: followsGap, at: offset)
    case .wav: wav?.reset(followsGap: followsGap, at: offset)
    case .packed, .latm, .transport, .fragments: packets.reset(followsGap: followsGap, at: offset)
    }
  }

  /// Takes as many bytes as fit, and says how many; call `next` until it needs more, then append the rest.
  public mutating func append(_ bytes: Span<UInt8>) -> Int {
    switch form {
    case .ogg: ogg?.append(bytes) ?? bytes.count
    case .flac: flac?.append(bytes) ?? bytes.count
    case .wav: wav?.append(bytes) ?? bytes.count
    case .packed, .latm, .transport, .fragments: packets.append(bytes)
    }
  }

  /// Says that no more bytes will come.
  public mutating func finish() {
    switch form {
    case .ogg: ogg?.finish()
    case .flac: flac?.finish()
    case .wav: wav?.finish()
    case .packed, .latm, .transport, .fragments: packets.finish()
    }
  }

  /// Hands the next packet to `body`, in place, or says what else comes.
  public mutating func next(_ body: (PacketInfo, Span<UInt8>) -> Void) -> Framed {
    switch form {
    case .ogg: ogg?.next(body) ?? .needsMore
    case .flac: flac?.next(body) ?? .needsMore
    case .wav: wav?.next(body) ?? .needsMore
    case .packed, .latm, .transport, .fragments: packets.next(body) ? .packet : .needsMore
    }
  }
}

// What is known beside its packets.

extension StreamFramer {
  /// Why what it found cannot be played; nil while nothing speaks against it.
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

  /// Bytes that came and are no packet yet, and may become packets with the next ones.
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

  /// Bytes of a tag, or of something else that is no sound, that have not come yet, and need not.
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

  /// Goes on behind those.
  public mutating func passAbsent() {
    switch form {
    case .flac: flac?.passAbsent()
    case .wav: wav?.passAbsent()
    case .ogg: break
    case .packed, .latm, .transport, .fragments: packets.passAbsentTag()
    }
  }

  /// What the headers of a file tell; nil of packets one after the other, and before the headers came.
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

  /// Bytes of Ogg, FLAC or WAV skipped as damage so far; 0 of packets one after the other.
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

  /// Bytes of tags skipped so far, between packets one after the other.
  public var taggedByteCount: Int { packets.taggedByteCount }

  /// Bytes that came behind the last tag, or else since the stream began.
  public var untaggedByteCount: Int { packets.untaggedByteCount }
}
