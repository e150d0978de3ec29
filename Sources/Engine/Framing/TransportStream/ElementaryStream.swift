/// The PES stream of one PID: removes the PES headers and detects losses and scrambling.
struct ElementaryStream {
  /// Number of consecutive scrambled packets that prove encryption; fewer may be damage.
  private static var provingCount: Int { 4 }

  private var continuity = ContinuityCounter()
  private var scrambledCount = 0

  private(set) var pid: UInt16?
  private(set) var packet = ElementaryPacket()

  struct Piece {
    var bytes = 0..<0
    var followsLoss = false
    var isStart = false
  }

  var isEncrypted: Bool { scrambledCount >= Self.provingCount }

  mutating func follow(_ pid: UInt16?) {
    self.pid = pid
    reset()
  }

  mutating func reset() {
    continuity = ContinuityCounter()
    scrambledCount = 0
    packet.drop()
  }

  mutating func process(_ transport: TransportPacket, _ payload: Span<UInt8>) -> Piece {
    var piece = Piece()
    switch continuity.classify(transport, payload) {
    case .duplicate: return piece
    case .gap:
      packet.drop()
      piece.followsLoss = true
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
    piece.bytes = packet.process(payload)
    piece.isStart = packet.hasBody && !hadBody
    if packet.isScrambled { countScrambled() } else { scrambledCount = 0 }
    return piece
  }

  private mutating func countScrambled() { scrambledCount = min(scrambledCount + 1, Self.provingCount) }
}
