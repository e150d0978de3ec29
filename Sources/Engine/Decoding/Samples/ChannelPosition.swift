/// The speaker position of a channel. The values are bit numbers of a WAV file's channel mask.
enum ChannelPosition: UInt8 {
  case frontLeft = 0
  case frontRight = 1
  case frontCenter = 2
  case bass = 3
  case backLeft = 4
  case backRight = 5
  case frontLeftOfCenter = 6
  case frontRightOfCenter = 7
  case backCenter = 8
  case sideLeft = 9
  case sideRight = 10
  case unknown = 255

  typealias Order = InlineArray<8, ChannelPosition>

  /// Returns the order of 3 … 8 channels in Vorbis (Vorbis I, 4.3.9) and in Opus' mapping family 1 (RFC 7845, 5.1.1.2).
  static func vorbisOrder(_ channels: Int) -> Order {
    switch channels {
    case 3: order(.frontLeft, .frontCenter, .frontRight)
    case 4: order(.frontLeft, .frontRight, .backLeft, .backRight)
    case 5: order(.frontLeft, .frontCenter, .frontRight, .backLeft, .backRight)
    case 6: order(.frontLeft, .frontCenter, .frontRight, .backLeft, .backRight, .bass)
    case 7: order(.frontLeft, .frontCenter, .frontRight, .sideLeft, .sideRight, .backCenter, .bass)
    default: order(.frontLeft, .frontCenter, .frontRight, .sideLeft, .sideRight, .backLeft, .backRight, .bass)
    }
  }

  /// Returns the order of 3 … 8 channels in FLAC (RFC 9639, 9.1.3), and in a WAV file without a mask.
  static func flacOrder(_ channels: Int) -> Order {
    switch channels {
    case 3: order(.frontLeft, .frontRight, .frontCenter)
    case 4: order(.frontLeft, .frontRight, .backLeft, .backRight)
    case 5: order(.frontLeft, .frontRight, .frontCenter, .backLeft, .backRight)
    case 6: order(.frontLeft, .frontRight, .frontCenter, .bass, .backLeft, .backRight)
    case 7: order(.frontLeft, .frontRight, .frontCenter, .bass, .backCenter, .sideLeft, .sideRight)
    default: order(.frontLeft, .frontRight, .frontCenter, .bass, .backLeft, .backRight, .sideLeft, .sideRight)
    }
  }

  /// Returns the order of 3 … 8 channels in a WAV file: mask bits, lowest first; `flacOrder` if the mask has too few.
  static func wavOrder(_ channels: Int, mask: UInt32) -> Order {
    guard mask.nonzeroBitCount >= channels else { return flacOrder(channels) }
    var order = Order(repeating: .unknown)
    var left = mask
    for channel in 0..<min(channels, order.count) {
      order[channel] = ChannelPosition(rawValue: UInt8(left.trailingZeroBitCount)) ?? .unknown
      left &= left &- 1
    }
    return order
  }

  private static func order(_ positions: ChannelPosition...) -> Order {
    Order { $0 < positions.count ? positions[$0] : .unknown }
  }
}
