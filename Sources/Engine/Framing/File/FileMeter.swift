import Blocks
import Units

/// Computes the `FileMap` of a file from its first packets.
public struct FileMeter: Sendable {
  private enum SeekHeader: Sendable {
    case xing(XingHeader)
    case vbri(VbriHeader)
  }

  private var seekHeader: SeekHeader?
  private var seekHeaderByte = 0
  private var firstByte: Int?
  private var packetTime = StreamTime.zero
  private var rate = SampleRate.cd
  private var bitRate: BitRate?
  private var isConstant = true
  private var isPadded = false
  private var packetCount = 0
  private var byteCount = 0
  private var duration = StreamTime.zero
  private var sampledByteCount = 0
  private var sampledTime = StreamTime.zero

  /// Number of packets needed to decide if the bit rate is constant.
  private static let minPacketCount = 16
  private static let decoderDelay = 529

  /// Creates a meter for a new file.
  public init() {}

  /// True if enough packets were processed for a map.
  public var isSettled: Bool { packetCount >= (seekHeader == nil ? Self.minPacketCount : 1) }

  /// Processes the file's next packet; returns false if the packet contains a Xing or VBRI header and no audio.
  public mutating func process(_ info: PacketInfo, _ bytes: Span<UInt8>) -> Bool {
    if firstByte == nil, seekHeader == nil, let found = Self.findSeekHeader(in: bytes) {
      seekHeader = found
      seekHeaderByte = info.byteOffset
      return false
    }
    let header = MpegHeader(bytes)
    if firstByte == nil {
      firstByte = info.byteOffset
      packetTime = info.duration
      rate = info.format.sampleRate
      bitRate = header?.bitRate
      isConstant = bitRate != nil
    }
    if header?.bitRate != bitRate || info.duration != packetTime { isConstant = false }
    if header?.isPadded == true { isPadded = true }
    packetCount += 1
    byteCount += info.byteCount
    duration += info.duration
    return true
  }

  /// True if packets from other parts of the file would improve the map.
  public var needsSamples: Bool { map(total: nil)?.basis == .measured && packetCount < Self.reliablePacketCount }

  /// Adds a packet from any part of the file to the average, because the beginning of a file is often not typical.
  public mutating func sample(_ info: PacketInfo) {
    sampledByteCount += info.byteCount
    sampledTime += info.duration
  }

  /// Number of packets, about 30 s, that give a reliable average without samples.
  private static let reliablePacketCount = 1_200

  private static func findSeekHeader(in packet: Span<UInt8>) -> SeekHeader? {
    if let xing = XingHeader(packet) { return .xing(xing) }
    return VbriHeader(packet).map { .vbri($0) }
  }

  /// Returns the map of a file of `total` bytes that ends with `tail` bytes of tags; nil before the first audio packet.
  public func map(total: Int?, tail: Int = 0) -> FileMap? {
    guard let firstByte, packetTime > .zero, byteCount > 0 else { return nil }
    let end = total.map { max(firstByte, $0 - max(0, tail)) }
    let trusted = trustedTotals(end)
    let lead = lead
    let raw = trusted.map { StreamTime(ticks: Self.product(packetTime.ticks, $0.packets)) }
    let seekPoints = seekPoints(trusted, raw)
    var basis = FileMap.Basis.measured
    if !seekPoints.isEmpty { basis = .table } else if hasConstantBitRate { basis = .constant }
    let packetBytes = packetBytes(trusted, basis)
    var length = raw
    var isExact = false
    if let trusted, let raw, silence != nil || isWhole(trusted.bytes, end) {
      length = max(.zero, raw - lead - padding)
      isExact = silence != nil && isWhole(trusted.bytes, end)
    } else if let end {
      // The last packet may lack padding; an incomplete packet does not count.
      let slack = basis == .constant ? 4.0 : 0
      let packets = ((Double(end - firstByte) + slack) / packetBytes).rounded(.down)
      length = StreamTime(ticks: Int64(min(0x1p60, packets * Double(packetTime.ticks)))) - lead
    }
    let map = FileMap(
      basis: basis, firstByte: firstByte, length: length, lead: lead, isExact: isExact, packetTime: packetTime,
      packetBytes: packetBytes, seekPoints: seekPoints)
    return truncated(map, trusted, end)
  }

  private static func product(_ ticks: Int64, _ count: Int) -> Int64 {
    let (product, overflow) = ticks.multipliedReportingOverflow(by: Int64(count))
    return overflow ? 1 << 61 : product
  }

  private var hasConstantBitRate: Bool {
    if case .xing(let xing)? = seekHeader, !xing.isConstant { return false }
    if case .vbri? = seekHeader { return false }
    return isConstant
  }

  private var silence: XingHeader.Silence? {
    if case .xing(let xing)? = seekHeader { xing.silence } else { nil }
  }

  private var lead: StreamTime {
    silence.map { StreamTime(frames: FrameCount($0.delay + Self.decoderDelay), at: rate) } ?? .zero
  }

  /// Silence at the end of the decoded audio: the encoder's padding, shortened by the decoder delay.
  private var padding: StreamTime {
    silence.map { StreamTime(frames: FrameCount(max(0, $0.padding - Self.decoderDelay)), at: rate) } ?? .zero
  }

  /// Returns true if the Xing or VBRI header describes a file of `total` bytes, apart from up to 64 KiB of tags.
  public func isLengthStated(total: Int?) -> Bool { trustedTotals(total).map { isWhole($0.bytes, total) } ?? false }

  private struct StatedTotals {
    var packets: Int
    var bytes: Int
  }

  /// Ignores totals of another file: some programs join files without updating the header.
  private func trustedTotals(_ end: Int?) -> StatedTotals? {
    var told: StatedTotals?
    switch seekHeader {
    case .xing(let xing)?:
      guard let packets = xing.packetCount else { return nil }
      told = StatedTotals(packets: packets, bytes: xing.byteCount ?? end.map { $0 - seekHeaderByte } ?? 0)
    case .vbri(let vbri)?: told = StatedTotals(packets: vbri.packetCount, bytes: vbri.byteCount)
    case nil: break
    }
    guard let told, told.packets > 0, told.bytes > 0 else { return nil }
    if let end, Double(told.bytes) < 0.75 * Double(end - seekHeaderByte) { return nil }
    return told
  }

  private func isWhole(_ bytes: Int, _ end: Int?) -> Bool {
    guard let end else { return false }
    return (-1...65_536).contains(end - seekHeaderByte - bytes)
  }

  private func seekPoints(_ told: StatedTotals?, _ raw: StreamTime?) -> [FileMap.SeekPoint] {
    guard let told, let raw, raw > .zero, !hasConstantBitRate else { return [] }
    var seekPoints: [FileMap.SeekPoint] = []
    switch seekHeader {
    case .xing(let xing)?:
      for (index, share) in xing.table.enumerated() {
        // Encoders round down; half a step corrects the average.
        let byte = seekHeaderByte + Int(Double(told.bytes) * (Double(share) + (index > 0 ? 0.5 : 0)) / 256)
        seekPoints.append(FileMap.SeekPoint(byte: byte, time: StreamTime(ticks: raw.ticks / 100 * Int64(index))))
      }
    case .vbri(let vbri)?:
      var byte = seekHeaderByte
      for (index, bytes) in vbri.stretches.enumerated() {
        let time = StreamTime(ticks: raw.ticks / Int64(vbri.stretches.count) * Int64(index))
        seekPoints.append(FileMap.SeekPoint(byte: byte, time: time))
        byte += bytes
        if byte > seekHeaderByte + told.bytes + 4_096 { return [] }
      }
    case nil: break
    }
    guard !seekPoints.isEmpty else { return [] }
    seekPoints.append(FileMap.SeekPoint(byte: seekHeaderByte + told.bytes, time: raw))
    if let firstByte { seekPoints[0].byte = max(seekPoints[0].byte, firstByte) }
    for index in 1..<seekPoints.count {
      seekPoints[index].byte = max(seekPoints[index].byte, seekPoints[index - 1].byte)
    }
    return seekPoints
  }

  private func packetBytes(_ told: StatedTotals?, _ basis: FileMap.Basis) -> Double {
    if basis == .constant, let bitRate {
      let exact = packetTime.seconds * Double(bitRate.bitsPerSecond) / 8
      // Some encoders never pad; then the measured average is correct.
      let seen = Double(byteCount) / Double(packetCount)
      return !isPadded && (exact - seen) * Double(packetCount) > 1.5 ? seen : exact
    }
    if let told, let firstByte {
      return max(1, Double(seekHeaderByte + told.bytes - firstByte) / Double(told.packets))
    }
    let isSampled = sampledTime > .zero && packetCount < Self.reliablePacketCount
    let (bytes, time) = isSampled ? (sampledByteCount, sampledTime) : (byteCount, duration)
    return Double(bytes) / max(1e-9, time.seconds) * packetTime.seconds
  }

  private func truncated(_ map: FileMap, _ told: StatedTotals?, _ end: Int?) -> FileMap {
    guard let told, let end, let length = map.length, told.bytes - 1 > end - seekHeaderByte else { return map }
    return FileMap(
      basis: map.basis, firstByte: map.firstByte, length: max(.zero, min(length, map.time(at: end))), lead: map.lead,
      isExact: false, packetTime: map.packetTime, packetBytes: map.packetBytes, seekPoints: map.seekPoints)
  }
}
