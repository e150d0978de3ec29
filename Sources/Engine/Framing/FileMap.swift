import Units

/// Where the seconds of a file lie in its bytes, and back; pure.
///
/// Time zero is the first sample that the encoder was given, where the file tells, else the first of all. Bytes are
/// counted from the file's first, tags included.
public struct FileMap: Equatable, Sendable {
  /// What it rests on.
  public enum Basis: Sendable {
    /// Packets of one bit rate: exact.
    case constant
    /// A table in the file: right to a hundredth of its length.
    case table
    /// The average of what was seen.
    case measured
  }

  /// What it rests on.
  public let basis: Basis
  /// Where the first packet of sound begins.
  public let firstByte: Int
  /// How long it sounds; nil while its end is not known.
  public let length: StreamTime?
  /// What comes before time zero: silence that an encoder put there, and a decoder's own.
  public let lead: StreamTime
  /// Whether `length` is to the sample, so that what a decoder gives beyond it is silence that was never recorded.
  public let isExact: Bool

  /// How long one packet sounds.
  let packetTime: StreamTime
  /// Bytes that sound for `packetTime`, on average.
  let packetBytes: Double
  /// Seek points whose time is known, never falling; empty where all goes evenly.
  let seekPoints: [SeekPoint]

  /// A place whose time is known, counted from the first packet.
  public struct SeekPoint: Equatable, Sendable {
    /// Where it is, in bytes from the file's first.
    public var byte: Int
    /// When it sounds, from the first packet on.
    public var time: StreamTime

    /// A place whose time is known.
    public init(byte: Int, time: StreamTime) { (self.byte, self.time) = (byte, time) }
  }

  /// The byte at which a packet begins that sounds at `time` or shortly before; within the file's sound.
  public func byte(at time: StreamTime) -> Int {
    let raw = max(.zero, time + lead)
    if seekPoints.count > 1 { return max(firstByte, interpolate(Int(raw.ticks), { Int($0.time.ticks) }, { $0.byte })) }
    let packets = (Double(raw.ticks) / Double(packetTime.ticks)).rounded(.down)
    let offset = packets * packetBytes
    // Padding makes a packet a byte longer now and then: its header stands within a slot of the average.
    let slack = basis == .constant ? 4 : 0
    return packets < 1 ? firstByte : max(firstByte, firstByte + Int(min(offset, 0x1p53)) - slack)
  }

  /// When the packet that begins at `byte` sounds.
  public func time(at byte: Int) -> StreamTime {
    guard byte > firstByte else { return .zero - lead }
    if seekPoints.count > 1 {
      return StreamTime(ticks: Int64(interpolate(byte, { $0.byte }, { Int($0.time.ticks) }))) - lead
    }
    let packets = Double(byte - firstByte) / packetBytes
    let whole = basis == .constant ? packets.rounded() : packets
    return StreamTime(ticks: Int64(min(whole * Double(packetTime.ticks), 0x1p60))) - lead
  }
}

extension FileMap {
  /// What lies as far between two places by `to` as `value` lies between them by `from`.
  private func interpolate(_ value: Int, _ from: (SeekPoint) -> Int, _ to: (SeekPoint) -> Int) -> Int {
    var (low, high) = (0, seekPoints.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if from(seekPoints[middle]) <= value { low = middle } else { high = middle }
    }
    let (one, other) = (seekPoints[low], seekPoints[high])
    let span = Double(from(other) - from(one))
    let share = span > 0 ? max(0, min(1, Double(value - from(one)) / span)) : 0
    return to(one) + Int((Double(to(other) - to(one)) * share).rounded())
  }
}
