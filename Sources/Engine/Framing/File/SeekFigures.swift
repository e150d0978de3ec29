import Units

/// The figures of a Xing or VBRI header: number of packets, number of bytes, and a seek table.
struct SeekFigures: Sendable {
  /// Number of packets after the header, and bytes from the header to the end of the last packet.
  struct Totals: Equatable, Sendable {
    var packets: Int
    var bytes: Int
  }

  private enum Header: Sendable {
    case xing(XingHeader)
    case vbri(VbriHeader)
  }

  private let header: Header

  /// Reads the header in a packet. Returns nil if absent.
  init?(_ packet: Span<UInt8>) {
    if let xing = XingHeader(packet) {
      header = .xing(xing)
    } else if let vbri = VbriHeader(packet) {
      header = .vbri(vbri)
    } else {
      return nil
    }
  }

  /// True if all packets have the same bit rate.
  var isConstant: Bool { if case .xing(let xing) = header { xing.isConstant } else { false } }

  var silence: XingHeader.Silence? { if case .xing(let xing) = header { xing.silence } else { nil } }

  /// Returns the totals; nil if incomplete. `rest`: number of bytes to use if the header has only the packets.
  func totals(rest: Int? = nil) -> Totals? {
    let stated: Totals
    switch header {
    case .xing(let xing):
      guard let packets = xing.packetCount, let bytes = xing.byteCount ?? rest else { return nil }
      stated = Totals(packets: packets, bytes: bytes)
    case .vbri(let vbri): stated = Totals(packets: vbri.packetCount, bytes: vbri.byteCount)
    }
    return stated.packets > 0 && stated.bytes > 0 ? stated : nil
  }

  /// Returns the seek points of the table, in non-descending order; empty without a table. `byte`: position of the
  /// header. `first`: position of the first audio packet. `length`: duration of all packets.
  func seekPoints(from byte: Int, first: Int?, _ totals: Totals, length: StreamTime) -> [FileMap.SeekPoint] {
    guard length > .zero, var points = tablePoints(from: byte, totals, length), !points.isEmpty else { return [] }
    points.append(FileMap.SeekPoint(byte: byte.clampedSum(totals.bytes), time: length))
    if let first { points[0].byte = max(points[0].byte, first) }
    for index in 1..<points.count { points[index].byte = max(points[index].byte, points[index - 1].byte) }
    return points
  }

  /// Returns nil for a table that exceeds the totals.
  private func tablePoints(from byte: Int, _ totals: Totals, _ length: StreamTime) -> [FileMap.SeekPoint]? {
    switch header {
    case .xing(let xing):
      return xing.table.enumerated().map { index, share in
        // Encoders round down; half a step corrects the average.
        let offset = Int(Double(totals.bytes) * (Double(share) + (index > 0 ? 0.5 : 0)) / 256)
        return FileMap.SeekPoint(byte: byte + offset, time: StreamTime(ticks: length.ticks / 100 * Int64(index)))
      }
    case .vbri(let vbri):
      var points: [FileMap.SeekPoint] = []
      var place = byte
      for (index, bytes) in vbri.stretches.enumerated() {
        let time = StreamTime(ticks: length.ticks / Int64(vbri.stretches.count) * Int64(index))
        points.append(FileMap.SeekPoint(byte: place, time: time))
        place += bytes
        if place > byte + totals.bytes + 4_096 { return nil }
      }
      return points
    }
  }
}
