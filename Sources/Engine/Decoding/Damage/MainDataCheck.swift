/// Checks that the Huffman codes of Layer III packets fit their side information (ISO 11172-3 2.4.1.7 and 2.4.3.4).
/// MPEG-1 only. libmad does not report a mismatch. Stores the last packets and checks them only on request.
struct MainDataCheck: ~Copyable {
  private static let packetCount = 4
  /// Header, CRC and side information, in bytes.
  private static let headCapacity = 38
  private static let capacity = headCapacity + 511 + 2048

  private let codes = HuffmanCodes()
  private let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: packetCount * capacity)
  private var byteCounts = InlineArray<4, Int>(repeating: 0)
  private var newest = 0

  deinit { bytes.deallocate() }

  mutating func clear() {
    for index in byteCounts.indices { byteCounts[index] = 0 }
  }

  /// Stores a packet, unless its data is incomplete or not MPEG-1.
  mutating func append(_ packet: UnsafePointer<UInt8>, _ side: SideInfo, _ reservoir: borrowing BitReservoir) {
    newest = (newest + 1) % Self.packetCount
    byteCounts[newest] = 0
    let count = side.mainDataBegin + side.mainData.count
    guard packet[1] & 0x08 != 0, side.isWhole, side.mainDataBegin <= reservoir.count,
      count <= Self.capacity - Self.headCapacity, let data = side.mainData.baseAddress
    else { return }
    let room = bytes + newest * Self.capacity
    room.update(from: packet, count: min(Self.headCapacity, data - packet))
    _ = reservoir.copyLast(side.mainDataBegin, to: room + Self.headCapacity)
    (room + Self.headCapacity + side.mainDataBegin).update(from: data, count: side.mainData.count)
    byteCounts[newest] = count
  }

  /// Returns the age, 0 … 2 packets, of the newest packet that does not match; nil if the last three match. Also nil if
  /// the packet before these three does not match, because the encoder is then always inexact.
  func misfit() -> Int? {
    guard fits(3) else { return nil }
    return !fits(0) ? 0 : !fits(1) ? 1 : !fits(2) ? 2 : nil
  }

  /// Returns true if the packet of `age` matches or is not stored; age 0 is the last packet.
  func fits(_ age: Int) -> Bool {
    let index = (newest + Self.packetCount - age) % Self.packetCount
    guard byteCounts[index] > 0 else { return true }
    let packet = bytes + index * Self.capacity
    var side = BitReader(packet, byteCount: Self.headCapacity, at: packet[1] & 1 == 0 ? 48 : 32)
    var data = BitReader(packet + Self.headCapacity, byteCount: byteCounts[index], at: 0)
    let channels = packet[3] >> 6 == 3 ? 1 : 2
    side.place += 9 + (channels == 1 ? 5 : 3)
    let shared = (side.read(4), channels == 2 ? side.read(4) : 0)
    for part in 0..<2 * channels {
      let granule = Granule(&side)
      let kept = part < channels ? 0 : part % channels == 0 ? shared.0 : shared.1
      let end = data.place + granule.bitCount
      granule.skipFactors(&data, kept: kept)
      guard data.place <= end, readValues(granule, Int(packet[2] >> 2 & 3), &data, end) else { return false }
      data.place = end
    }
    return true
  }

  /// Reads a channel's codes. Returns false if the codes exceed the channel's length.
  private func readValues(_ granule: Granule, _ rate: Int, _ data: inout BitReader, _ end: Int) -> Bool {
    var line = 0
    while line < min(576, 2 * granule.bigPairs) {
      let table = granule.table(at: line, rate)
      let tree = HuffmanCodes.treeOfTable[table]
      if tree >= 0 {
        let pair = codes.read(tree, &data)
        data.place += Self.signBits(pair >> 4, table) + Self.signBits(pair & 15, table)
      }
      line += 2
      guard data.place <= end else { return false }
    }
    while data.place < end, line <= 572 {
      data.place += codes.read(HuffmanCodes.pairTrees + granule.smallTable, &data).nonzeroBitCount
      line += 4
    }
    return data.place <= end
  }

  /// Returns the number of sign bits and linbits of a value.
  private static func signBits(_ value: Int, _ table: Int) -> Int {
    value == 0 ? 0 : value == 15 ? 1 + HuffmanCodes.furtherBits[table] : 1
  }
}
