import Units

/// Counts the frames of a logical stream: from packet to packet, or from the granules of pages after a loss.
struct OggClock {
  /// Granule number of the next frame; nil if unknown.
  private var position: Int?
  /// True until the first frame of the link is counted.
  private var isAtBeginning = false
  /// Granule number of the first frame; nil if its packet was not received.
  private(set) var origin: Int?

  static var atBeginning: OggClock {
    var clock = OggClock()
    (clock.position, clock.isAtBeginning) = (0, true)
    return clock
  }

  mutating func invalidatePosition() { (position, isAtBeginning) = (nil, false) }

  /// Numbers the packets that end in a page, and mutes the frames that a last page cuts off.
  mutating func number(_ packets: inout [OggPacket], in page: OggPage, of sound: OggCodecParameters) {
    var first = packets.startIndex
    for index in packets.indices where packets[index].followsLoss {
      // Packets between two losses get no number: the granule applies to the last packet of the page.
      assignNumbers(&packets, first..<index, from: position)
      invalidatePosition()
      first = index
    }
    let count = packets[first...].reduce(0) { $0 + $1.frames }
    guard !packets.isEmpty else { return }
    let granule = page.granule.flatMap { isUsable($0, behind: count, sound) ? $0 : nil }
    let start = start(count, granule, page, sound)
    assignNumbers(&packets, first..<packets.endIndex, from: start)
    if isAtBeginning {
      origin = start
      isAtBeginning = count == 0 && (start ?? 0) == 0
    }
    position = start.map { $0 + count }
    if page.isLast, let granule, let end = position, granule < end, end - granule <= count + Self.maxDeviation(sound) {
      muteTail(&packets, min(count, end - granule))
      position = granule
    }
  }

  /// Some encoders always write 0. A number whose time cannot be represented is unusable.
  private func isUsable(_ granule: Int, behind count: Int, _ sound: OggCodecParameters) -> Bool {
    (granule > 0 || count == 0) && StreamTime(checking: granule, at: sound.format.sampleRate) != nil
  }

  /// Maximum deviation that counts as imprecision: one second, in frames.
  private static func maxDeviation(_ sound: OggCodecParameters) -> Int { Int(sound.format.sampleRate.hertz) }

  private func start(_ count: Int, _ granule: Int?, _ page: OggPage, _ sound: OggCodecParameters) -> Int? {
    guard let granule else { return position }
    // After joining at a last page, the number of cut frames is unknown unless the page is the only page.
    guard let position else { return page.isLast && granule > count ? nil : max(0, granule - count) }
    let counted = position + count
    if isAtBeginning {
      // A stream may begin after frame 0, and within a packet.
      return granule >= counted || sound.allowsCutHead && !page.isLast ? granule - count : position
    }
    if page.isLast, granule < counted { return position }
    return abs(granule - counted) > Self.maxDeviation(sound) ? max(0, granule - count) : position
  }

  private func assignNumbers(_ packets: inout [OggPacket], _ range: Range<Int>, from start: Int?) {
    guard var next = start else { return }
    for index in range {
      packets[index].firstFrame = next
      next += packets[index].frames
    }
  }

  private func muteTail(_ packets: inout [OggPacket], _ count: Int) {
    var rest = count
    for index in packets.indices.reversed() where rest > 0 {
      let part = min(rest, packets[index].frames, PacketRecordLimits.maxMutedFrames)
      packets[index].mutedTail = part
      rest -= min(rest, packets[index].frames)
    }
  }
}
