import Units

/// What the headers of a file of Ogg, FLAC or WAV tell of where its sound lies, and how long it is.
public struct FramedFacts: Equatable, Sendable {
  /// Frames in a second, as the file counts them.
  public let rate: SampleRate
  /// Where the sound begins, counted from the file's first byte.
  public let firstByte: Int
  /// How long it sounds; nil where the headers do not tell.
  public let length: StreamTime?
  /// The logical stream of Ogg, and the number of the first frame that is heard, as its granules count; nil of others.
  private let ogg: (serial: UInt32, firstFrame: Int)?
  /// What its packets tell as the time of the first frame: not zero where a live stream was kept as a file of Ogg.
  public let origin: StreamTime
  /// Places that the headers tell; empty where they tell none.
  let places: [FileMap.SeekPoint]
  /// What a packet takes in bytes and in time where all packets are the same; nil where they are not.
  public let packet: (bytes: Int, time: StreamTime)?

  /// What the head of a FLAC file tells.
  init(_ facts: FlacFacts) {
    rate = facts.rate
    firstByte = facts.firstByte
    length = facts.sampleCount.flatMap { StreamTime(checking: $0, at: facts.rate) }
    (ogg, origin) = (nil, .zero)
    places = facts.points.compactMap { point in
      StreamTime(checking: point.firstFrame, at: facts.rate).map { time in
        FileMap.SeekPoint(byte: facts.firstByte + point.byte, time: time)
      }
    }
    packet = nil
  }

  /// What the head of a WAV file tells.
  init(_ facts: WavFacts) {
    rate = facts.rate
    firstByte = facts.firstByte
    length = facts.byteCount.flatMap { StreamTime(checking: $0 / facts.frameByteCount, at: facts.rate) }
    (ogg, origin) = (nil, .zero)
    places = []
    let bytes = facts.packetByteCount
    packet = (bytes, StreamTime(frames: FrameCount(bytes / facts.frameByteCount), at: facts.rate))
  }

  /// What the headers of the first link of an Ogg file tell, and the number of its first frame, heard or not.
  init(ogg serial: UInt32, preSkip: Int, at rate: SampleRate, firstByte: Int, firstFrame: Int) {
    (self.rate, self.firstByte) = (rate, firstByte)
    origin = StreamTime(checking: max(0, firstFrame - preSkip), at: rate) ?? .zero
    ogg = (serial, max(preSkip, firstFrame))
    (length, places, packet) = (nil, [], nil)
  }

  /// The number of the first link of a chain; nil of others than Ogg.
  public var link: UInt32? { ogg?.serial }

  /// Whether its last page tells how long it sounds.
  public var isToldByTail: Bool { ogg != nil }

  /// How long it sounds by its last bytes; nil where these do not tell, or end with another link than it begins with.
  /// 65,307 bytes hold a whole page, if it is the last.
  public func length(byTail tail: Span<UInt8>) -> StreamTime? {
    guard let ogg, let last = OggTail(tail), last.serial == ogg.serial, last.granule > ogg.firstFrame
    else { return nil }
    return StreamTime(checking: last.granule - ogg.firstFrame, at: rate)
  }

  /// Whether both tell the same.
  public static func == (one: FramedFacts, other: FramedFacts) -> Bool {
    one.rate == other.rate && one.firstByte == other.firstByte && one.length == other.length
      && one.origin == other.origin && one.places == other.places && one.packet?.bytes == other.packet?.bytes
  }
}

extension FileMap {
  /// The map of a file of `total` bytes in which packets tell their place. `length` is what its end told, and `found`
  /// are places where packets were. Where nothing tells the length, these measure it if that `isMeasured`.
  public init(
    _ facts: FramedFacts, total: Int?, length told: StreamTime?, found: [SeekPoint], isMeasured: Bool = false
  ) {
    let length = told ?? facts.length ?? Self.evenLength(facts, total)
    var points = [SeekPoint(byte: facts.firstByte, time: .zero)]
    var known = (facts.places + found).sorted { ($0.byte, $0.time) < ($1.byte, $1.time) }
    if let total {
      // A table may tell places that the file does not have.
      known.removeAll { $0.byte >= total }
      if let length { known.append(SeekPoint(byte: total, time: length)) }
    }
    for point in known where point.byte > points[points.count - 1].byte && point.time > points[points.count - 1].time {
      points.append(point)
    }
    // Where nothing tells how long it is, what came so far is the measure.
    let end = length == nil ? Self.end(total, as: points) : nil
    if let end { points.append(end) }
    self.init(
      basis: facts.packet == nil ? points.count > 1 ? .table : .measured : .constant, firstByte: facts.firstByte,
      length: length ?? (isMeasured ? end?.time : nil), lead: .zero, isExact: false,
      packetTime: facts.packet?.time ?? StreamTime(seconds: 1),
      packetBytes: facts.packet.map { Double($0.bytes) } ?? 16_000, seekPoints: facts.packet == nil ? points : [])
  }

  /// Where a file of `total` bytes ends that goes on as it did up to the last of some places; nil where they are too
  /// few.
  private static func end(_ total: Int?, as points: [SeekPoint]) -> SeekPoint? {
    guard let total, points.count > 1, let first = points.first, let last = points.last, last.byte < total
    else { return nil }
    let share = Double(total - first.byte) / Double(last.byte - first.byte)
    return SeekPoint(byte: total, time: StreamTime(ticks: Int64(min(0x1p60, Double(last.time.ticks) * share))))
  }

  /// The length of a file of even packets that is told by its bytes alone.
  private static func evenLength(_ facts: FramedFacts, _ total: Int?) -> StreamTime? {
    guard let packet = facts.packet, let total, total > facts.firstByte else { return nil }
    let count = Double(total - facts.firstByte) / Double(packet.bytes)
    return StreamTime(ticks: Int64(min(0x1p60, count * Double(packet.time.ticks))))
  }
}
