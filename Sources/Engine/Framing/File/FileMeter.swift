import Blocks
import Units

/// Computes the `FileMap` of a file from its first packets.
public struct FileMeter: Sendable {
  private var seekHeader: SeekFigures?
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
  /// True if sound follows the end that the header states.
  private var isJoined = false

  /// Number of packets needed to decide if the bit rate is constant.
  private static let minPacketCount = 16
  private static let decoderDelay = 529

  /// Creates a meter for a new file.
  public init() {}

  /// True if enough packets were processed for a map.
  public var isSettled: Bool { packetCount >= (seekHeader == nil ? Self.minPacketCount : 1) }

  /// Processes the file's next packet; returns false if the packet contains a Xing or VBRI header and no audio.
  public mutating func process(_ info: PacketInfo, _ bytes: Span<UInt8>) -> Bool {
    if let found = SeekFigures(bytes) {
      // The header of a later part has no audio either.
      guard firstByte == nil, seekHeader == nil else { return false }
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

  private var hasConstantBitRate: Bool { isConstant && seekHeader?.isConstant != false }

  private var silence: XingHeader.Silence? { seekHeader?.silence }

  private var lead: StreamTime {
    silence.map { StreamTime(frames: FrameCount($0.delay + Self.decoderDelay), at: rate) } ?? .zero
  }

  /// Silence at the end of the decoded audio: the encoder's padding, shortened by the decoder delay.
  private var padding: StreamTime {
    silence.map { StreamTime(frames: FrameCount(max(0, $0.padding - Self.decoderDelay)), at: rate) } ?? .zero
  }

  /// Returns true if the Xing or VBRI header describes a file of `total` bytes, apart from short tags.
  public func isLengthStated(total: Int?) -> Bool {
    guard let total, let told = trustedTotals(total) else { return false }
    return (-1...SoundPart.minByteCount).contains(total - seekHeaderByte - told.bytes)
  }

  /// Ignores totals of another file: some programs join files without updating the header.
  private func trustedTotals(_ end: Int?) -> SeekFigures.Totals? {
    guard !isJoined, let told = seekHeader?.totals(rest: end.map { $0 - seekHeaderByte } ?? 0) else { return nil }
    if let end, Double(told.bytes) < 0.75 * Double(end - seekHeaderByte) { return nil }
    return told
  }

  private func isWhole(_ bytes: Int, _ end: Int?) -> Bool {
    guard let end else { return false }
    return (-1...65_536).contains(end - seekHeaderByte - bytes)
  }

  // MARK: Joined files

  /// Distrusts the figures, because sound follows the end that they state.
  public mutating func markJoined() { isJoined = true }

  /// Records that the bit rate varies elsewhere in the file.
  public mutating func markVaried() { isConstant = false }

  /// Position and time after the last packet that the header states; nil without figures.
  public var statedEnd: FileMap.SeekPoint? {
    seekHeader?.totals().map {
      let ticks = Self.product(packetTime.ticks, $0.packets)
      return FileMap.SeekPoint(byte: seekHeaderByte.clampedSum($0.bytes), time: StreamTime(ticks: ticks) - lead)
    }
  }

  /// True if the sound at the end of the file shows if further parts follow: a constant bit rate without figures.
  public func needsEndOfSound(total: Int?) -> Bool {
    guard let total, let firstByte, seekHeader == nil, isSettled else { return false }
    return isConstant && total - firstByte >= Self.minSearchedByteCount
  }

  /// Minimum number of bytes of a file that is searched for parts with other bit rates.
  private static let minSearchedByteCount = 32_768

  /// Returns the search for further parts of a file of `total` bytes that ends with `tail` bytes of tags; nil if the
  /// file has one part, or if its first packets allow no search.
  public func partFinder(total: Int, tail: Int = 0) -> PartFinder? {
    guard let firstByte, isSettled, bitRate != nil else { return nil }
    let end = max(firstByte, total - max(0, tail))
    guard let seekHeader else {
      guard needsEndOfSound(total: total), let rate = constantRate else { return nil }
      return PartFinder(from: firstByte, rate, end: end, total: total)
    }
    guard
      let part = SoundPart(seekHeader, at: seekHeaderByte, audio: firstByte, packetTime: packetTime, end: end),
      end - part.end > SoundPart.minByteCount
    else { return nil }
    return PartFinder(after: part, end: end, total: total)
  }

  /// Returns the map of a joined file.
  public func map(of parts: [SoundPart]) -> FileMap? { FileMap(parts, lead: lead) }

  private func seekPoints(_ told: SeekFigures.Totals?, _ raw: StreamTime?) -> [FileMap.SeekPoint] {
    guard let told, let raw, !hasConstantBitRate else { return [] }
    return seekHeader?.seekPoints(from: seekHeaderByte, first: firstByte, told, length: raw) ?? []
  }

  private func packetBytes(_ told: SeekFigures.Totals?, _ basis: FileMap.Basis) -> Double {
    if basis == .constant, let rate = constantRate { return rate.packetBytes }
    if let told, let firstByte {
      return max(1, Double(seekHeaderByte + told.bytes - firstByte) / Double(told.packets))
    }
    let isSampled = sampledTime > .zero && packetCount < Self.reliablePacketCount
    let (bytes, time) = isSampled ? (sampledByteCount, sampledTime) : (byteCount, duration)
    return Double(bytes) / max(1e-9, time.seconds) * packetTime.seconds
  }

  private var constantRate: PacketRate? {
    bitRate.map {
      PacketRate($0, packetTime, byteCount: byteCount, packetCount: packetCount, isPadded: isPadded)
    }
  }

  private func truncated(_ map: FileMap, _ told: SeekFigures.Totals?, _ end: Int?) -> FileMap {
    guard let told, let end, let length = map.length, told.bytes - 1 > end - seekHeaderByte else { return map }
    return FileMap(
      basis: map.basis, firstByte: map.firstByte, length: max(.zero, min(length, map.time(at: end))), lead: map.lead,
      isExact: false, packetTime: map.packetTime, packetBytes: map.packetBytes, seekPoints: map.seekPoints)
  }
}
