import Units

/// Position and duration of the audio in a file, from its headers.
public struct FramedFacts: Equatable, Sendable {
  /// Sample rate in which the file counts frames.
  public let rate: SampleRate
  /// Position of the audio in bytes, from the start of the file.
  public let firstByte: Int
  /// Duration of the audio; nil if the headers do not state the duration.
  public let length: StreamTime?
  /// Serial number of the Ogg stream, and granule number of the first audible frame; nil without Ogg.
  private let ogg: (serial: UInt32, firstFrame: Int)?
  /// Time of the first frame according to its packets. Not zero if an Ogg file was saved from a live stream.
  public let origin: StreamTime
  /// Position after the samples of a WAV or AIFF file, in bytes; nil if unknown, and for other containers.
  public let endOfSamples: Int?
  let seekPoints: [FileMap.SeekPoint]
  /// Size in bytes and duration of each packet if all packets are equal; nil otherwise.
  public let packet: (bytes: Int, time: StreamTime)?

  init(_ facts: FlacFacts) {
    rate = facts.rate
    firstByte = facts.firstByte
    length = facts.sampleCount.flatMap { StreamTime(checking: $0, at: facts.rate) }
    (ogg, origin) = (nil, .zero)
    seekPoints = facts.points.compactMap { point in
      StreamTime(checking: point.firstFrame, at: facts.rate).map { time in
        FileMap.SeekPoint(byte: facts.firstByte + point.byte, time: time)
      }
    }
    (packet, endOfSamples) = (nil, nil)
  }

  init(_ facts: PcmFacts) {
    rate = facts.rate
    firstByte = facts.firstByte
    length = facts.byteCount.flatMap { StreamTime(checking: $0 / facts.frameByteCount, at: facts.rate) }
    (ogg, origin) = (nil, .zero)
    seekPoints = []
    endOfSamples = facts.end
    let bytes = facts.packetByteCount
    packet = (bytes, StreamTime(frames: FrameCount(bytes / facts.frameByteCount), at: facts.rate))
  }

  /// `firstFrame` is the granule number of the link's first frame, audible or not.
  init(ogg serial: UInt32, preSkip: Int, at rate: SampleRate, firstByte: Int, firstFrame: Int) {
    (self.rate, self.firstByte) = (rate, firstByte)
    origin = StreamTime(checking: max(0, firstFrame - preSkip), at: rate) ?? .zero
    ogg = (serial, max(preSkip, firstFrame))
    (length, seekPoints, packet) = (nil, [], nil)
    endOfSamples = nil
  }

  /// Serial number of the first link in an Ogg chain; nil without Ogg.
  public var link: UInt32? { ogg?.serial }

  /// True if the last page of the file states the duration.
  public var isLengthInTail: Bool { ogg != nil }

  /// Returns the duration according to the last bytes of the file: 65,307 bytes contain a whole page. Nil without a
  /// usable page, or if the file ends with another link than its first.
  public func length(byTail tail: Span<UInt8>) -> StreamTime? {
    guard let ogg, let last = OggTail(tail), last.serial == ogg.serial, last.granule > ogg.firstFrame
    else { return nil }
    return StreamTime(checking: last.granule - ogg.firstFrame, at: rate)
  }

  /// Returns true if rate, positions, durations and packet sizes are equal.
  public static func == (one: FramedFacts, other: FramedFacts) -> Bool {
    one.rate == other.rate && one.firstByte == other.firstByte && one.length == other.length
      && one.origin == other.origin && one.endOfSamples == other.endOfSamples && one.seekPoints == other.seekPoints
      && one.packet?.bytes == other.packet?.bytes
  }
}

extension FileMap {
  /// Creates the map of a file of `total` bytes from its headers and the packet positions `found`. `told`: the duration
  /// stated at the end of the file. `isMeasured`: true to estimate an unknown duration from `found`.
  public init(
    _ facts: FramedFacts, total: Int?, length told: StreamTime?, found: [SeekPoint], isMeasured: Bool = false
  ) {
    let length = told ?? facts.length ?? Self.evenLength(facts, total)
    var points = [SeekPoint(byte: facts.firstByte, time: .zero)]
    var known = (facts.seekPoints + found).sorted { ($0.byte, $0.time) < ($1.byte, $1.time) }
    if let total {
      // A seek table may contain points after the end of the file.
      known.removeAll { $0.byte >= total }
      if let length { known.append(SeekPoint(byte: total, time: length)) }
    }
    for point in known where point.byte > points[points.count - 1].byte && point.time > points[points.count - 1].time {
      points.append(point)
    }
    let end = length == nil ? Self.end(total, as: points) : nil
    if let end { points.append(end) }
    self.init(
      basis: facts.packet == nil ? points.count > 1 ? .table : .measured : .constant, firstByte: facts.firstByte,
      length: length ?? (isMeasured ? end?.time : nil), lead: .zero, isExact: false,
      packetTime: facts.packet?.time ?? StreamTime(seconds: 1),
      packetBytes: facts.packet.map { Double($0.bytes) } ?? 16_000, seekPoints: facts.packet == nil ? points : [])
  }

  private static func end(_ total: Int?, as points: [SeekPoint]) -> SeekPoint? {
    guard let total, points.count > 1, let first = points.first, let last = points.last, last.byte < total
    else { return nil }
    let share = Double(total - first.byte) / Double(last.byte - first.byte)
    return SeekPoint(byte: total, time: StreamTime(ticks: Int64(min(0x1p60, Double(last.time.ticks) * share))))
  }

  private static func evenLength(_ facts: FramedFacts, _ total: Int?) -> StreamTime? {
    guard let packet = facts.packet, let total, total > facts.firstByte else { return nil }
    let count = Double(total - facts.firstByte) / Double(packet.bytes)
    return StreamTime(ticks: Int64(min(0x1p60, count * Double(packet.time.ticks))))
  }
}
