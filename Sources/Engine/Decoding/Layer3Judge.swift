import Blocks

/// Checks Layer III packets for any decoder: whether their main data is available and plausible.
///
/// Owns the bit reservoir. Each packet starts with `begin`, is decoded, and finishes with `end`.
struct Layer3Judge: ~Copyable {
  /// A packet between `begin` and `end`.
  struct Packet {
    let side: SideInfo
    /// True if part of its main data precedes the first packet or a gap.
    let lacksData: Bool
    /// True if it uses bytes that belong to the previous packet.
    fileprivate let reachesTooFar: Bool
  }

  private var reservoir = BitReservoir()
  private var mainData = MainDataCheck()
  /// The main data bytes unused by the previous packet; nil if unknown.
  private var unusedByteCount: Int?

  /// The maximum main data per packet in libmad (MAD_BUFFER_MDLEN without its guard).
  private static let mainDataCapacity = 511 + 2048

  mutating func clear() {
    forgetData()
    mainData.clear()
  }

  private mutating func forgetData() {
    reservoir.clear()
    unusedByteCount = nil
  }

  /// Starts a packet; nil if its main data exceeds a decoder's buffer, as in free format above 600 kbit/s.
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

  /// Writes the main data that precedes the packet, as far as it is available; returns its bytes.
  func lendData(for packet: Packet, to room: UnsafeMutableRawPointer) -> Int {
    reservoir.copyLast(packet.side.mainDataBegin, to: room)
  }

  /// Stores the packet's data for the next one, and returns true if the packet may be damaged. `isWhole` is true if it
  /// ends where its header says.
  mutating func end(_ packet: Packet, isDecoded: Bool, isWhole: Bool) -> Bool {
    let side = packet.side
    if isWhole {
      reservoir.append(side.mainData)
      unusedByteCount = isDecoded ? side.mainDataBegin + side.mainData.count - side.soundByteCount : nil
    } else {
      forgetData()
    }
    // Two packets cannot own the same bytes, so one is wrong. Missing earlier data is no damage.
    return packet.reachesTooFar || !isDecoded && !packet.lacksData
  }

  /// Returns how many packets ago, up to three, one did not match its main data. Called if the sound is suddenly loud.
  func misfit() -> Int? { mainData.misfit() }

  /// Returns true if the last packet's codes match its main data, as far as known.
  func fits() -> Bool { mainData.fits(0) }
}
