import Blocks

/// An audio packet that ends in the current page.
struct OggPacket: Equatable {
  /// Range in the page; nil if the packet began on an earlier page.
  var range: Range<Int>?
  /// Stream offset of the page where the packet begins, in bytes.
  var byteOffset: Int
  /// Number of frames, muted frames included.
  var frames: Int
  var followsLoss: Bool
  /// Granule position of the first frame; nil if unknown.
  var firstFrame: Int?
  var mutedTail = 0

  /// Returns the muted frames at the beginning. `first`: granule position of the first audible frame.
  func mutedHead(before first: Int) -> Int {
    guard let firstFrame else { return 0 }
    return min(frames, PacketRecordLimits.maxMutedFrames, max(0, first - firstFrame))
  }
}

enum PacketRecordLimits {
  /// Maximum number of muted frames at each end that a packet's record can store.
  static let maxMutedFrames = 65_535
}
