import Blocks

/// Checks that the main data of Layer III packets is available and plausible, for any decoder.
/// Owns the bit reservoir. Call `begin` before a packet is decoded, and `end` after it.
struct Layer3Judge: ~Copyable {
  struct Packet {
    let side: SideInfo
    /// True if main data is missing, because it precedes the first packet or a gap.
    let lacksData: Bool
    /// True if the packet uses bytes that belong to the previous packet.
    fileprivate let reachesTooFar: Bool
  }

  private var reservoir = BitReservoir()
  private(set) var mainData = MainDataCheck()
  /// The main data bytes unused by the previous packet; nil if unknown.
  private var unusedByteCount: Int?

  /// The maximum main data per packet in libmad, in bytes (MAD_BUFFER_MDLEN without its guard).
  private static let mainDataCapacity = 511 + 2048

  mutating func clear() {
    forgetData()
    mainData.clear()
  }

  private mutating func forgetData() {
    reservoir.clear()
    unusedByteCount = nil
  }

  /// Starts a packet; nil if its main data exceeds a decoder's buffer (free format above 600 kbit/s).
  mutating func begin(_ bytes: UnsafePointer<UInt8>, byteCount: Int) -> Packet? {
    let side = SideInfo(bytes, byteCount: byteCount)
    guard side.mainDataBegin + side.mainData.count <= Self.mainDataCapacity else {
      forgetData()
      return nil
    }
    mainData.append(bytes, side, reservoir)
    return Packet(
      side: side, lacksData: side.mainDataBegin > reservoir.count,
      reachesTooFar: unusedByteCount.map { side.mainDataBegin > $0 } ?? false)
  }

  /// Writes the available main data that precedes the packet; returns the number of bytes.
  func lendData(for packet: Packet, to room: UnsafeMutableRawPointer) -> Int {
    reservoir.copyLast(packet.side.mainDataBegin, to: room)
  }

  /// Stores the packet's data for the next packet; returns true if the packet may be damaged.
  /// `isWhole`: true if the packet ends at the length in its header. If false, the reservoir is cleared.
  mutating func end(_ packet: Packet, isDecoded: Bool, isWhole: Bool) -> Bool {
    let side = packet.side
    if isWhole {
      reservoir.append(side.mainData)
      unusedByteCount = isDecoded ? side.mainDataBegin + side.mainData.count - side.soundByteCount : nil
    } else {
      forgetData()
    }
    // Two packets cannot own the same bytes, so one is wrong. Missing earlier data is not damage.
    return packet.reachesTooFar || !isDecoded && !packet.lacksData
  }
}
