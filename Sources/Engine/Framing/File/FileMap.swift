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
  /// Parts of a joined file, in the order of their positions and times; empty for a file of one part.
  var parts: [SoundPart] = []

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
    if let part = parts.last(where: { $0.time <= raw }) { return part.byte(at: raw) }
    if seekPoints.count > 1 { return max(firstByte, seekPoints.byte(at: raw)) }
    let packets = (Double(raw.ticks) / Double(packetTime.ticks)).rounded(.down)
    let offset = packets * packetBytes
    // Padding adds a byte to some packets, so a header lies within one slot of the average.
    let slack = basis == .constant ? 4 : 0
    return packets < 1 ? firstByte : max(firstByte, firstByte + Int(min(offset, 0x1p53)) - slack)
  }

  /// Returns the time of the packet that starts at `byte`.
  public func time(at byte: Int) -> StreamTime {
    guard byte > firstByte else { return .zero - lead }
    if let part = parts.last(where: { $0.firstByte <= byte }) { return part.time(at: byte) - lead }
    if seekPoints.count > 1 { return seekPoints.time(at: byte) - lead }
    let packets = Double(byte - firstByte) / packetBytes
    let whole = basis == .constant ? packets.rounded() : packets
    return StreamTime(ticks: Int64(min(whole * Double(packetTime.ticks), 0x1p60))) - lead
  }
}

extension FileMap {
  /// Creates the map of a joined file. `lead`: silence before time zero. `parts`: at least one.
  init?(_ parts: [SoundPart], lead: StreamTime) {
    guard let first = parts.first, let last = parts.last else { return nil }
    let isExact = parts.allSatisfy { $0.isStartExact && $0.isExact }
    basis = !isExact ? .measured : parts.allSatisfy { $0.isConstant } ? .constant : .table
    firstByte = first.firstByte
    length = max(.zero, last.time + last.length - lead)
    (self.lead, self.isExact) = (lead, false)
    (packetTime, packetBytes, seekPoints) = (first.packetTime, first.packetBytes, [])
    self.parts = parts
  }

  /// True if the time of the packet at `byte` is exact.
  public func isPacketExact(at byte: Int) -> Bool {
    guard byte > firstByte else { return true }
    guard let part = parts.last(where: { $0.firstByte <= byte }) else { return basis == .constant }
    return part.isPacketExact || part.isStartExact && part.firstByte == byte
  }

  /// Start of the last part at or before `byte` whose start time is exact; nil for a file of one part.
  public func partStart(before byte: Int) -> SeekPoint? {
    parts.last { $0.isStartExact && $0.firstByte <= byte }.map { SeekPoint(byte: $0.firstByte, time: $0.time - lead) }
  }
}

extension [FileMap.SeekPoint] {
  func byte(at time: StreamTime) -> Int { interpolate(Int(time.ticks), { Int($0.time.ticks) }, { $0.byte }) }

  func time(at byte: Int) -> StreamTime {
    StreamTime(ticks: Int64(interpolate(byte, { $0.byte }, { Int($0.time.ticks) })))
  }

  private func interpolate(
    _ value: Int, _ from: (FileMap.SeekPoint) -> Int, _ to: (FileMap.SeekPoint) -> Int
  ) -> Int {
    var (low, high) = (0, count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if from(self[middle]) <= value { low = middle } else { high = middle }
    }
    let (one, other) = (self[low], self[high])
    let span = Double(from(other) - from(one))
    let share = span > 0 ? Swift.max(0, Swift.min(1, Double(value - from(one)) / span)) : 0
    return to(one) + Int((Double(to(other) - to(one)) * share).rounded())
  }
}
