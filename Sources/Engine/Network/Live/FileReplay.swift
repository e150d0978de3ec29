import Blocks
import Framing
import Units

/// Recognises a file in a programme treated as a live station: each connection begins with the file's first byte
/// (R1.5). The packets of each connection are compared with prints of the packets from the first connection on.
/// Repeated packets are dropped, so that the file continues where the last connection broke. A value; net thread only.
struct FileReplay {
  /// Decision about a packet.
  enum Step: Equatable {
    case publish
    /// The packet was delivered by an earlier connection.
    case drop
    /// The first packet after the repeated packets. `isExact`: false if the last repeated packet was damaged before.
    case proceed(overlap: StreamTime, isExact: Bool)
    /// The first packet that differs: a station, with a new connection to join.
    case join
  }

  /// Decision about the end of a connection.
  enum End: Equatable {
    case reconnect
    case complete
    /// The file ends early: further connections would deliver no new packet.
    case short
  }

  /// The packets of one connection, all recorded before.
  struct Repetition: Equatable {
    fileprivate var count = 0
    fileprivate var byteCount = 0
    fileprivate var digest = StreamPrint.start

    fileprivate mutating func append(_ packet: PacketPrint, _ info: PacketInfo) {
      count += 1
      byteCount += info.byteCount
      digest = packet.digest(after: digest)
    }
  }

  private enum Match {
    /// All recorded packets were repeated before.
    case new
    case equal
    /// Other bytes than those of a recorded packet that may be damaged.
    case damaged
    case different
  }

  private enum Phase {
    /// Packets are not compared until the next connection.
    case idle
    /// Each packet is new and recorded.
    case recording
    /// All packets so far were recorded before.
    case repeating
  }

  /// Repeated bytes that prove a file. Shorter repetitions may be an announcement.
  static let proof = 65_536
  /// Minimum number of different packets at the start, so that silence and short loops do not count.
  private static let minVariety = 12
  /// Minimum duration of a file with the headers of a station. Less audio is a station's failure.
  private static let minIcyLength = StreamTime(seconds: 2)
  /// Maximum number of successive connections without a new packet.
  private static let maxIdleCount = 5

  private var phase = Phase.idle
  private var known = StreamPrint()
  private var variety = PacketVariety()
  private var knownByteCount = 0
  /// Duration of the recorded packets.
  private(set) var length = StreamTime.zero
  /// Number of recorded packets with a successor. The last packet of a broken connection may be damaged.
  private var soundCount = 0
  /// Packets of the current connection, while repeating.
  private(set) var repetition = Repetition()
  /// True if a packet of an earlier connection was damaged where that connection broke.
  private var wasDamaged = false
  /// Number and digest of the packets at the last clean end.
  private var cleanEnd: (count: Int, digest: UInt64)?
  private var idleCount = 0
  private var isProven = false
  /// True if two connections began with the same packets, but continued with other packets.
  private var isStation = false

  private var isRepeating: Bool { if case .repeating = phase { true } else { false } }

  /// Starts a connection. Returns true if its packets are compared with the recorded packets, and false if its packets
  /// must be joined to the buffered packets. `repetition`: packets of the connection that were dropped while it was a
  /// spare.
  mutating func begin(after repetition: Repetition? = nil) -> Bool {
    countConnection()
    self.repetition = repetition ?? Repetition()
    wasDamaged = false
    phase = isStation ? .idle : .repeating
    guard isRepeating, variety.count < Self.minVariety else { return isRepeating }
    removeRecord()
    phase = .recording
    return false
  }

  /// Counts the successive connections without a new packet. A silent connection may be replaced without an end.
  private mutating func countConnection() {
    switch phase {
    case .idle: break
    case .recording: idleCount = 0
    case .repeating: idleCount += 1
    }
  }

  private mutating func removeRecord() {
    known.removeAll()
    variety = PacketVariety()
    (knownByteCount, length, soundCount) = (0, .zero, 0)
    (cleanEnd, idleCount, isProven) = (nil, 0, false)
  }

  /// Stops the comparison until the next connection.
  mutating func pause() { phase = .idle }

  /// Forgets all packets: the server was gone, and a station returns with its first packets.
  mutating func restart() {
    removeRecord()
    phase = .idle
  }

  /// Starts another programme, without allocation.
  mutating func reset() {
    restart()
    isStation = false
  }

  /// Processes a packet. `isLast`: true if the packet has no successor on its connection.
  mutating func offer(_ packet: PacketPrint, _ info: PacketInfo, isLast: Bool) -> Step {
    switch phase {
    case .idle: return .publish
    case .recording:
      record(packet, info, isLast: isLast)
      return .publish
    case .repeating: return compare(packet, info, isLast: isLast)
    }
  }

  private mutating func record(_ packet: PacketPrint, _ info: PacketInfo, isLast: Bool) {
    known.append(packet)
    knownByteCount += info.byteCount
    length += info.duration
    if knownByteCount <= Self.proof { variety.append(packet) }
    if !isLast { soundCount = known.count }
  }

  private mutating func compare(_ packet: PacketPrint, _ info: PacketInfo, isLast: Bool) -> Step {
    switch match(packet, after: repetition) {
    case .new:
      let (overlap, isExact) = (length, !wasDamaged)
      phase = .recording
      record(packet, info, isLast: isLast)
      return .proceed(overlap: overlap, isExact: isExact)
    // The last packet of this connection may be damaged too.
    case .different: return isLast ? .drop : joinStation()
    case .damaged:
      wasDamaged = true
      known.replaceDigest(of: repetition.count + 1, by: packet.digest(after: repetition.digest))
    case .equal: break
    }
    repetition.append(packet, info)
    if repetition.byteCount >= Self.proof { isProven = true }
    return .drop
  }

  private func match(_ packet: PacketPrint, after repetition: Repetition) -> Match {
    guard repetition.count < known.count else { return .new }
    guard let expected = known.digest(of: repetition.count + 1), expected != packet.digest(after: repetition.digest)
    else { return .equal }
    return repetition.count < soundCount ? .different : .damaged
  }

  private mutating func joinStation() -> Step {
    // A few equal packets may be silence.
    isStation = repetition.count >= Self.minVariety
    phase = .idle
    return .join
  }

  // MARK: Spares

  /// Compares a packet of a spare. Returns the packets of the spare with this packet; nil if any was not recorded
  /// before. `repetition`: the packets before this packet.
  func repetition(with packet: PacketPrint, _ info: PacketInfo, after repetition: Repetition?) -> Repetition? {
    var repetition = repetition ?? Repetition()
    guard !isStation, variety.count >= Self.minVariety, match(packet, after: repetition) == .equal else { return nil }
    repetition.append(packet, info)
    return repetition
  }

  /// True if a spare has repeated all recorded packets.
  func isWhole(_ repetition: Repetition) -> Bool { repetition.count == known.count }

  // MARK: End

  /// Handles the end of a connection. `isClean`: true if the server ended the response properly.
  mutating func end(isClean: Bool, of response: ResponseTrace) -> End {
    defer { phase = .idle }
    countConnection()
    let isIdle = idleCount >= Self.maxIdleCount
    switch phase {
    case .idle: return .reconnect
    // A station may hang or fail after its announcement for a while.
    case .repeating where repetition.count < known.count: return .reconnect
    case .recording, .repeating: break
    }
    let end = (count: known.count, digest: isRepeating ? repetition.digest : known.digest)
    // A station with ICY headers may fail in its announcement for a while.
    guard isClean else { return isIdle && (isProven || !response.isIcy) ? .short : .reconnect }
    defer { cleanEnd = end }
    if isProven, response.isLengthKnown { return .complete }
    guard let cleanEnd, isRepeating, !response.isIcy || length >= Self.minIcyLength else { return .reconnect }
    return cleanEnd == end ? .complete : .reconnect
  }
}
