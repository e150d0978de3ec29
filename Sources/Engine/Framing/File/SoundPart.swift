import Units

/// A part of a file whose sound was encoded at once. Parts put end to end make a joined file. A value.
public struct SoundPart: Equatable, Sendable {
  /// Position of the first audio packet, in bytes.
  public let firstByte: Int
  /// Position after the last packet, in bytes.
  public let end: Int
  /// Start of the first packet, from the start of the file's first packet.
  public internal(set) var time = StreamTime.zero
  /// Duration of the packets.
  public let length: StreamTime
  /// True if the part's duration and the positions of its packets are known, not estimated.
  let isExact: Bool
  /// True if the start time is known: all earlier parts are exact.
  public internal(set) var isStartExact = true
  /// True if all packets have one bit rate.
  let isConstant: Bool
  let packetTime: StreamTime
  /// Average number of bytes per `packetTime`.
  let packetBytes: Double
  /// Points of a seek table with absolute positions, and times from the start of the part; empty without a table.
  let seekPoints: [FileMap.SeekPoint]

  static let maxTime = StreamTime(ticks: 1 << 60)

  /// Minimum number of bytes of a part, as a limit for tags and damage.
  static let minByteCount = 2_048

  /// True if a seek finds each packet of the part.
  var isPacketExact: Bool { isStartExact && isExact && isConstant }
}

extension SoundPart {
  /// Creates a part from its Xing or VBRI header at `byte`. `audio`: position of the first audio packet. Returns nil
  /// if the figures are incomplete or impossible. A part longer than the file is cut at `end`.
  init?(_ figures: SeekFigures, at byte: Int, audio: Int, packetTime: StreamTime, end: Int) {
    guard let totals = figures.totals(), packetTime > .zero else { return nil }
    let stated = byte.clampedSum(totals.bytes)
    let size = Double(stated - audio) / Double(totals.packets)
    guard stated > audio, end > audio, (8...Double(PacketHeader.maxPacketByteCount)).contains(size) else { return nil }
    let whole = Self.product(packetTime, Double(totals.packets))
    let isCut = stated > end
    firstByte = audio
    self.end = min(stated, end)
    length = isCut ? Self.product(packetTime, Double(end - audio) / size) : whole
    (isExact, isConstant) = (!isCut, figures.isConstant)
    (self.packetTime, packetBytes) = (packetTime, size)
    seekPoints =
      figures.isConstant || isCut ? [] : figures.seekPoints(from: byte, first: audio, totals, length: whole)
  }

  /// Creates a part from the average size of its packets. `isLast`: true if the file ends with the part. The last
  /// packet may lack padding; an incomplete packet does not count.
  init(_ bytes: Range<Int>, _ rate: PacketRate, isExact: Bool, isLast: Bool) {
    (firstByte, end) = (bytes.lowerBound, bytes.upperBound)
    let packets = (Double(bytes.count) + (isLast && rate.isConstant ? 4 : 0)) / rate.packetBytes
    length = Self.product(rate.packetTime, packets.rounded(isLast ? .down : .toNearestOrAwayFromZero))
    (self.isExact, isConstant) = (isExact, rate.isConstant)
    (packetTime, packetBytes) = (rate.packetTime, rate.packetBytes)
    seekPoints = []
  }

  /// Returns the part without the bytes from `byte` on, which have no sound.
  public func cut(at byte: Int) -> SoundPart {
    byte < end && byte > firstByte ? SoundPart(self, end: byte) : self
  }

  private init(_ part: SoundPart, end: Int) {
    (firstByte, self.end) = (part.firstByte, end)
    (time, isStartExact) = (part.time, part.isStartExact)
    length = part.time(at: end) - part.time
    (isExact, isConstant) = (part.isExact, part.isConstant)
    (packetTime, packetBytes, seekPoints) = (part.packetTime, part.packetBytes, part.seekPoints)
  }

  private static func product(_ time: StreamTime, _ count: Double) -> StreamTime {
    StreamTime(ticks: Int64(min(Double(maxTime.ticks), Double(time.ticks) * count)))
  }

  /// Returns the position of a packet that starts at `time` or shortly before. `time`: from the start of the file's
  /// first packet.
  func byte(at time: StreamTime) -> Int {
    let offset = max(.zero, time - self.time)
    if seekPoints.count > 1 { return max(firstByte, min(end, seekPoints.byte(at: offset))) }
    let packets = (Double(offset.ticks) / Double(packetTime.ticks)).rounded(.down)
    // Padding adds a byte to some packets, so a header lies within one slot of the average.
    let slack = isConstant && packets >= 1 ? 4 : 0
    return max(firstByte, min(end, firstByte + Int(min(packets * packetBytes, 0x1p53)) - slack))
  }

  /// Returns the time of the packet that starts at `byte`, from the start of the file's first packet.
  func time(at byte: Int) -> StreamTime {
    guard byte > firstByte else { return time }
    guard byte < end else { return time + length }
    if seekPoints.count > 1 { return time + seekPoints.time(at: byte) }
    let packets = Double(byte - firstByte) / packetBytes
    let ticks = (isConstant ? packets.rounded() : packets) * Double(packetTime.ticks)
    return time + min(length, StreamTime(ticks: Int64(min(ticks, Double(Self.maxTime.ticks)))))
  }
}
