import Blocks
import Units

enum PacketHeader: Equatable, BitwiseCopyable {
  case mpeg(MpegHeader)
  case adts(AdtsHeader)

  enum Search: BitwiseCopyable {
    case found(PacketHeader)
    case nothing
    case cut
  }

  /// Maximum packet length in bytes, so that a packet fits into a block.
  static var maxPacketByteCount: Int { 5000 }

  static func search(_ bytes: Span<UInt8>, at offset: Int) -> Search {
    let count = bytes.count - offset
    guard count > 0 else { return .cut }
    guard bytes[offset] == 0xFF else { return .nothing }
    guard count > 1 else { return .cut }
    guard bytes[offset + 1] & 0xE0 == 0xE0 else { return .nothing }
    if bytes[offset + 1] & 0x06 == 0 {
      guard bytes[offset + 1] & 0xF0 == 0xF0 else { return .nothing }
      guard count >= 7 else { return .cut }
      return AdtsHeader(bytes, at: offset).map { .found(.adts($0)) } ?? .nothing
    }
    guard count >= MpegHeader.byteCount else { return .cut }
    return MpegHeader(bytes, at: offset).map { .found(.mpeg($0)) } ?? .nothing
  }

  /// Distance in bytes at which filler repeats the header.
  private var fixedByteCount: Int {
    switch self {
    case .mpeg: MpegHeader.byteCount
    case .adts: 7
    }
  }

  var byteCount: Int? {
    switch self {
    case .mpeg(let header): header.byteCount
    case .adts(let header): header.byteCount
    }
  }

  var paddingByteCount: Int {
    guard case .mpeg(let header) = self, header.isPadded else { return 0 }
    return header.slotByteCount
  }

  func allows(_ byteCount: Int) -> Bool {
    let least =
      switch self {
      case .mpeg: MpegHeader.byteCount * 2
      case .adts(let header): header.headerByteCount + 1
      }
    return byteCount >= least && byteCount <= Self.maxPacketByteCount
  }

  func agrees(with other: PacketHeader) -> Bool {
    switch (self, other) {
    case (.mpeg(let one), .mpeg(let other)): one.agrees(with: other)
    case (.adts(let one), .adts(let other)): one.agrees(with: other)
    default: false
    }
  }

  func hasSameChannels(as other: PacketHeader) -> Bool { format.channels == other.format.channels }

  /// True if the header directly repeats itself: filler, not a packet.
  func isFiller(_ bytes: Span<UInt8>, at offset: Int) -> Bool {
    let again = offset + fixedByteCount
    guard again + 4 <= bytes.count else { return false }
    return (0..<4).allSatisfy { bytes[offset + $0] == bytes[again + $0] }
  }

  var format: PacketFormat {
    switch self {
    case .mpeg(let header):
      PacketFormat(codec: header.codec, sampleRate: header.sampleRate, channels: header.channels)
    case .adts(let header):
      PacketFormat(
        codec: .aac, sampleRate: header.sampleRate, channels: header.channels, profile: header.profile)
    }
  }

  var duration: StreamTime {
    switch self {
    case .mpeg(let header): StreamTime(frames: header.samplesPerFrame, at: header.sampleRate)
    case .adts(let header): header.duration
    }
  }
}
