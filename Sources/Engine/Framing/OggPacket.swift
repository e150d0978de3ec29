import Blocks

/// A packet of sound that ends in the page that is read.
struct OggPacket: Equatable {
  /// Where it lies in the page; nil where it began on a page before, and was carried over.
  var range: Range<Int>?
  /// Where the page began in which it began.
  var byteOffset: Int
  /// Frames in it, heard or not.
  var frames: Int
  /// Bytes of the stream were lost before it.
  var followsLoss: Bool
  /// The number of its first frame, as the granules count; nil where that is not known.
  var firstFrame: Int?
  /// Frames at its end that are not heard.
  var mutedTail = 0

  /// Frames at its beginning that are not heard: those before the first one that is, of the number `first`.
  func mutedHead(before first: Int) -> Int {
    guard let firstFrame else { return 0 }
    return min(frames, PacketPart.most, max(0, first - firstFrame))
  }
}

/// The part of a packet that a record can call unheard.
enum PacketPart {
  /// So many frames at each end.
  static let most = 65_535
}
