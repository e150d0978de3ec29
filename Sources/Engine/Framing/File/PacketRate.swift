import Units

/// Average size of packets with the same duration. A value.
struct PacketRate: Equatable, Sendable {
  let packetTime: StreamTime
  let packetBytes: Double
  /// True if all packets have one bit rate.
  let isConstant: Bool

  var secondsPerByte: Double { packetTime.seconds / packetBytes }

  /// The rate of packets of one bit rate. `byteCount`: sum of `packetCount` packets.
  init(_ bitRate: BitRate, _ packetTime: StreamTime, byteCount: Int, packetCount: Int, isPadded: Bool) {
    self.packetTime = packetTime
    let exact = packetTime.seconds * Double(bitRate.bitsPerSecond) / 8
    // Some encoders never pad; then the measured average is correct.
    let seen = Double(byteCount) / Double(max(1, packetCount))
    packetBytes = max(1, !isPadded && (exact - seen) * Double(packetCount) > 1.5 ? seen : exact)
    isConstant = true
  }

  /// The average of `byteCount` bytes that last `time`.
  init?(average byteCount: Int, _ time: StreamTime, packetTime: StreamTime) {
    guard time > .zero, packetTime > .zero, byteCount > 0 else { return nil }
    self.packetTime = packetTime
    packetBytes = max(1, Double(byteCount) / time.seconds * packetTime.seconds)
    isConstant = false
  }
}
