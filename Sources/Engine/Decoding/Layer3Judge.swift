import Blocks

/// Judges the packets of a Layer III programme, whoever decodes them: whether their main data is there, and whether it
/// can be theirs.
///
/// Holds the bit reservoir. Each packet begins with `begin`, is decoded, and ends with `end`.
struct Layer3Judge: ~Copyable {
  /// A packet between `begin` and `end`.
  struct Packet {
    /// Where its main data lies.
    let side: SideInfo
    /// Some of its main data was never there: it lies before the first packet, or before a gap.
    let lacksData: Bool
    /// It wants bytes that the packet before it has used.
    fileprivate let reachesTooFar: Bool
  }

  private var reservoir = BitReservoir()
  private var mainData = MainDataCheck()
  /// Bytes of main data that the packet before left to this one; nil where it is not known.
  private var unusedByteCount: Int?

  /// Bytes of main data that libmad takes for one packet (MAD_BUFFER_MDLEN without its guard).
  private static let mainDataCapacity = 511 + 2048

  /// Forgets what went before a gap.
  mutating func clear() {
    forgetData()
    mainData.clear()
  }

  private mutating func forgetData() {
    reservoir.clear()
    unusedByteCount = nil
  }

  /// Takes the next packet; nil where it has more main data than a decoder has room for: free format of over
  /// 600 kbit/s.
  mutating func begin(_ bytes: UnsafePointer<UInt8>, byteCount: Int) -> Packet? {
    let side = SideInfo(bytes, byteCount: byteCount)
    guard side.mainDataBegin + side.mainData.count <= Self.mainDataCapacity else {
      forgetData()
      return nil
    }
    mainData.take(bytes, side, reservoir)
    return Packet(
      side: side, lacksData: side.mainDataBegin > reservoir.count,
      reachesTooFar: unusedByteCount.map { side.mainDataBegin > $0 } ?? false)
  }

  /// Writes the main data before the packet's own, as far as it is held; returns how many bytes.
  func lendData(for packet: Packet, to room: UnsafeMutableRawPointer) -> Int {
    reservoir.copyLast(packet.side.mainDataBegin, to: room)
  }

  /// Keeps what the next packet may want of this one; whether this one may be damaged. `isWhole`: it ends where its
  /// header says.
  mutating func end(_ packet: Packet, isDecoded: Bool, isWhole: Bool) -> Bool {
    let side = packet.side
    if isWhole {
      reservoir.append(side.mainData)
      unusedByteCount = isDecoded ? side.mainDataBegin + side.mainData.count - side.soundByteCount : nil
    } else {
      forgetData()
    }
    // Two packets cannot own the same bytes: the end of one or the beginning of the other is wrong. Data that was never
    // there is no damage.
    return packet.reachesTooFar || !isDecoded && !packet.lacksData
  }

  /// How many packets ago one of the last three did not fit its main data; asked where the sound is suddenly loud.
  func misfit() -> Int? { mainData.misfit() }

  /// Whether the last packet's codes fit its main data, as far as can be told.
  func fits() -> Bool { mainData.fits(0) }
}
