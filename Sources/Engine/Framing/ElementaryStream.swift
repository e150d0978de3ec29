/// The bytes of one PID that carries PES packets: parts them from the heads, and notices losses and scrambling.
struct ElementaryStream {
  /// So many scrambled packets in a row are no damage.
  private static var provingCount: Int { 4 }

  private var continuity = ContinuityCounter()
  private var scrambledCount = 0

  /// The PID that is followed; nil while none is.
  private(set) var pid: UInt16?
  /// The PES packet that is read.
  private(set) var packet = ElementaryPacket()

  /// What a transport packet holds of the stream.
  struct Piece {
    /// Where the stream's bytes lie in the payload.
    var bytes = 0..<0
    /// Bytes are missing before these.
    var isTorn = false
    /// The body of a PES packet begins with these.
    var isStart = false
  }

  /// Whether packets come that need a key, and none that need none.
  var isEncrypted: Bool { scrambledCount >= Self.provingCount }

  /// Follows that PID, from its next PES packet on.
  mutating func follow(_ pid: UInt16?) {
    self.pid = pid
    reset()
  }

  /// Forgets the PES packet that is cut off, and what packet is expected.
  mutating func reset() {
    continuity = ContinuityCounter()
    scrambledCount = 0
    packet.drop()
  }

  /// Takes the next packet of the PID.
  mutating func take(_ transport: TransportPacket, _ payload: Span<UInt8>) -> Piece {
    var piece = Piece()
    switch continuity.judge(transport, payload) {
    case .duplicate: return piece
    case .gap:
      packet.drop()
      piece.isTorn = true
    case .next: break
    }
    guard !payload.isEmpty else { return piece }
    if transport.isScrambled {
      packet.drop()
      countScrambled()
      return piece
    }
    if transport.isStart { packet.begin() }
    let hadBody = packet.hasBody
    piece.bytes = packet.take(payload)
    piece.isStart = packet.hasBody && !hadBody
    if packet.isScrambled { countScrambled() } else { scrambledCount = 0 }
    return piece
  }

  private mutating func countScrambled() { scrambledCount = min(scrambledCount + 1, Self.provingCount) }
}
