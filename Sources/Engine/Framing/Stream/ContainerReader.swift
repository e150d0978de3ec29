/// Extracts the audio from a stream's segments (RFC 8216, 3). One thread at a time. Allocates only for a new container.
public struct ContainerReader: ~Copyable {
  /// Container of the current segment; nil until its first bytes have arrived.
  public private(set) var form: StreamContainer?
  private var transport: TransportStreamReader?
  private var fragments: FragmentReader?
  private var latm: LatmReader?
  private var packed = PackedStart()
  private var head: [UInt8] = []

  /// Number of bytes needed to detect the container.
  public static let headByteCount = 8

  /// Creates a reader before the first segment.
  public init() { head.reserveCapacity(Self.headByteCount) }

  /// Creates a reader for a stream whose container is known.
  public init(_ container: StreamContainer) {
    form = container
    prepare(container)
  }

  /// Reason why the stream cannot be played; nil if no reason is known.
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
    case .packed: packed.refusal
    default: nil
    }
  }

  /// True if boxes announce audio, so that more data may precede it than in other streams.
  public var announcesAudio: Bool {
    guard form == .fragments else { return false }
    switch fragments {
    case .some(let reader): return reader.announcesAudio
    case nil: return false
    }
  }

  /// Delay of the last tags after the segment's first audio, in seconds; nil if a time is unknown.
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
    default: nil
    }
  }

  /// Starts another segment. Programme tables and configs from earlier segments remain valid.
  public mutating func beginSegment() {
    form = nil
    packed = PackedStart()
    head.removeAll(keepingCapacity: true)
    transport?.reset()
    fragments?.reset()
    latm?.reset()
  }

  /// Processes bytes. `audio` receives ADTS or MPEG frames, `tag` receives timed ID3 tags, both in pieces of any size.
  public mutating func read(
    _ bytes: Span<UInt8>, audio: (Span<UInt8>) -> Void, tag: (Span<UInt8>) -> Void
  ) {
    guard form == nil else { return forward(bytes, audio: audio, tag: tag) }
    let taken = min(Self.headByteCount - head.count, bytes.count)
    for index in 0..<taken { head.append(bytes[index]) }
    guard head.count == Self.headByteCount else { return }
    detectContainer()
    let first = head
    forward(first.span, audio: audio, tag: tag)
    forward(bytes.extracting(taken..<bytes.count), audio: audio, tag: tag)
  }

  private mutating func detectContainer() {
    let types = ["ftyp", "styp", "moov", "moof", "sidx", "emsg", "prft", "free", "skip", "mdat", "uuid"]
    let found: StreamContainer
    if head[0] == 0x47 {
      found = .transport
    } else if types.contains(where: { head.span.matches($0, at: 4) }) || followsFragments && beginsUnknownBox {
      found = .fragments
    } else if head[0] == 0x56, head[1] & 0xE0 == 0xE0 {
      found = .latm
    } else {
      found = .packed
    }
    form = found
    prepare(found)
  }

  private var followsFragments: Bool {
    switch fragments {
    case .some: true
    case nil: false
    }
  }

  /// True if the first bytes may be a box with any type of letters or digits, shorter than 16 MB or with a long size.
  private var beginsUnknownBox: Bool {
    let isShort = head[0] == 0 && (head[1] > 0 || head[2] > 0 || head[3] >= 8 || head[3] == 1)
    return isShort && head[4..<8].allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) }
  }

  private mutating func prepare(_ container: StreamContainer) {
    switch container {
    case .transport where transport == nil: transport = TransportStreamReader()
    case .fragments where fragments == nil: fragments = FragmentReader()
    case .latm where latm == nil: latm = LatmReader()
    default: break
    }
  }

  private mutating func forward(_ bytes: Span<UInt8>, audio: (Span<UInt8>) -> Void, tag: (Span<UInt8>) -> Void) {
    guard bytes.count > 0 else { return }
    switch form {
    case .transport: transport?.read(bytes, audio: audio, tag: tag)
    case .fragments: fragments?.read(bytes, audio: audio, tag: tag)
    case .latm: latm?.read(bytes, audio: audio)
    default:
      if form == .packed { packed.read(bytes) }
      if packed.refusal == nil { audio(bytes) }
    }
  }
}
