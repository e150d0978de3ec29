/// Takes the sound out of the segments of a stream, whatever they are: MPEG transport streams, fragments of MP4, LATM,
/// or packets of sound alone (RFC 8216, 3). One thread at a time; nothing allocates once a container is known.
public struct ContainerReader: ~Copyable {
  /// What the segment is that is read; nil while its first bytes are awaited.
  public private(set) var form: StreamContainer?
  private var transport: TransportStreamReader?
  private var fragments: FragmentReader?
  private var latm: LatmReader?
  /// The first bytes of a segment whose form is not known.
  private var head: [UInt8] = []

  /// So many bytes tell the form.
  public static let headByteCount = 8

  /// A reader before the first segment.
  public init() { head.reserveCapacity(Self.headByteCount) }

  /// A reader of a stream whose container is known.
  public init(_ container: StreamContainer) {
    form = container
    prepare(container)
  }

  /// Why what was found cannot be played; nil while nothing speaks against it.
  public var refusal: RefusedCodec? {
    switch form {
    case .transport:
      switch transport {
      case .some(let reader): reader.refusal
      case nil: nil
      }
    case .fragments:
      switch fragments {
      case .some(let reader): reader.refusal
      case nil: nil
      }
    case .latm:
      switch latm {
      case .some(let reader): reader.refusal
      case nil: nil
      }
    case nil, .packed, .ogg, .flac, .wav: nil
    }
  }

  /// How long after the segment's first sound the tags are due that came last, in seconds; nil where that is not told,
  /// or no sound came yet.
  public var tagDelay: Double? {
    switch form {
    case .transport:
      switch transport {
      case .some(let reader): reader.tagDelay
      case nil: nil
      }
    case .fragments:
      switch fragments {
      case .some(let reader): reader.tagDelay
      case nil: nil
      }
    case nil, .packed, .latm, .ogg, .flac, .wav: nil
    }
  }

  /// Another segment begins; what the ones before said of all of them holds on.
  public mutating func begin() {
    form = nil
    head.removeAll(keepingCapacity: true)
    transport?.reset()
    fragments?.reset()
    latm?.reset()
  }

  /// Takes bytes; sound goes to `audio` as frames of ADTS or MPEG, timed ID3 tags to `tag`, both in any pieces.
  public mutating func read(
    _ bytes: Span<UInt8>, audio: (Span<UInt8>) -> Void, tag: (Span<UInt8>) -> Void
  ) {
    guard form == nil else { return pass(bytes, audio: audio, tag: tag) }
    let taken = min(Self.headByteCount - head.count, bytes.count)
    for index in 0..<taken { head.append(bytes[index]) }
    guard head.count == Self.headByteCount else { return }
    settle()
    let first = head
    pass(first.span, audio: audio, tag: tag)
    pass(bytes.extracting(taken..<bytes.count), audio: audio, tag: tag)
  }

  /// Decides the form by a segment's first bytes.
  private mutating func settle() {
    let types = ["ftyp", "styp", "moov", "moof", "sidx", "emsg", "prft", "free", "skip", "mdat", "uuid"]
    let found: StreamContainer
    if head[0] == 0x47 {
      found = .transport
    } else if types.contains(where: { head.span.holds($0, at: 4) }) {
      found = .fragments
    } else if head[0] == 0x56, head[1] & 0xE0 == 0xE0 {
      found = .latm
    } else {
      found = .packed
    }
    form = found
    prepare(found)
  }

  /// Makes the reader of a container, unless there is one.
  private mutating func prepare(_ container: StreamContainer) {
    switch container {
    case .transport where transport == nil: transport = TransportStreamReader()
    case .fragments where fragments == nil: fragments = FragmentReader()
    case .latm where latm == nil: latm = LatmReader()
    default: break
    }
  }

  private mutating func pass(_ bytes: Span<UInt8>, audio: (Span<UInt8>) -> Void, tag: (Span<UInt8>) -> Void) {
    guard bytes.count > 0 else { return }
    switch form {
    case .transport: transport?.read(bytes, audio: audio, tag: tag)
    case .fragments: fragments?.read(bytes, audio: audio, tag: tag)
    case .latm: latm?.read(bytes, audio: audio)
    case nil, .packed, .ogg, .flac, .wav: audio(bytes)
    }
  }
}
