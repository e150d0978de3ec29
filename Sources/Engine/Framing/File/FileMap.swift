import Units

/// Converts between times and byte positions of a file. Time zero is the encoder's first sample if the file states the
/// encoder delay, else the first decoded sample. Positions count from the first byte of the file, tags included.
public struct FileMap: Equatable, Sendable {
  /// The data used to compute positions, which determines their accuracy.
  public enum Basis: Sendable {
    /// Packets of one bit rate: exact.
    case constant
    /// A seek table in the file: accurate to one hundredth of the duration.
    case table
    /// The average of the packets read.
    case measured
  }

  /// The data used to compute positions.
  public let basis: Basis
  /// Position of the first audio packet, in bytes.
  public let firstByte: Int
  /// Duration of the audio; nil if the end of the file is unknown.
  public let length: StreamTime?
  /// Duration of the silence before time zero: encoder delay and decoder delay.
  public let lead: StreamTime
  /// True if `length` is exact to the sample. A decoder's output after `length` is then padding.
  public let isExact: Bool

  let packetTime: StreamTime
  /// Average number of bytes per `packetTime`.
  let packetBytes: Double
  /// Points in non-descending order; empty if time and position are proportional.
  let seekPoints: [SeekPoint]

  /// A position whose time is known.
  public struct SeekPoint: Equatable, Sendable {
    /// Position in bytes from the start of the file.
    public var byte: Int
    /// Time from the start of the first packet.
    public var time: StreamTime

    /// Creates a seek point.
    public init(byte: Int, time: StreamTime) { (self.byte, self.time) = (byte, time) }
  }

  /// Returns the position of a packet that starts at `time` or shortly before; at least `firstByte`.
  public func byte(at time: StreamTime) -> Int {
    let raw = max(.zero, time + lead)
    if seekPoints.count > 1 { return max(firstByte, interpolate(Int(raw.ticks), { Int($0.time.ticks) }, { $0.byte })) }
    let packets = (Double(raw.ticks) / Double(packetTime.ticks)).rounded(.down)
    let offset = packets * packetBytes
    // Padding adds a byte to some packets, so a header lies within one slot of the average.
    let slack = basis == .constant ? 4 : 0
    return packets < 1 ? firstByte : max(firstByte, firstByte + Int(min(offset, 0x1p53)) - slack)
  }

  /// Returns the time of the packet that starts at `byte`.
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
