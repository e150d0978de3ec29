import Units

/// Counts the frames of a logical stream: from packet to packet where nothing is lost, else by the granules of pages.
struct OggClock {
  /// The number of the next frame, as the granules count; nil where that is not known.
  private var position: Int?
  /// No frame was counted yet since the link's beginning.
  private var isAtBeginning = false

  /// A clock before the first packet of a link.
  static var atBeginning: OggClock {
    var clock = OggClock()
    (clock.position, clock.isAtBeginning) = (0, true)
    return clock
  }

  /// Packets are missing: the next granule tells where the stream is.
  mutating func lose() { (position, isAtBeginning) = (nil, false) }

  /// Numbers the packets that end in a page, and mutes what a last page cuts off.
  mutating func number(_ packets: inout [OggPacket], in page: OggPage, of sound: OggSound) {
    var first = packets.startIndex
    for index in packets.indices where packets[index].followsLoss {
      // Those between two losses keep no number: the granule tells that of the page's last packet.
      fill(&packets, first..<index, from: position)
      lose()
      first = index
    }
    let count = packets[first...].reduce(0) { $0 + $1.frames }
    guard !packets.isEmpty else { return }
    let granule = page.granule.flatMap { isFit($0, behind: count, sound) ? $0 : nil }
    let start = start(count, granule, page, sound)
    fill(&packets, first..<packets.endIndex, from: start)
    if isAtBeginning { isAtBeginning = count == 0 && (start ?? 0) == 0 }
    position = start.map { $0 + count }
    if page.isLast, let granule, let end = position, granule < end, end - granule <= count + Self.patience(sound) {
      cut(&packets, min(count, end - granule))
      position = granule
    }
  }

  /// Whether a granule tells a number of frames. Some encoders write no other number than 0; one whose time cannot be
  /// counted is none.
  private func isFit(_ granule: Int, behind count: Int, _ sound: OggSound) -> Bool {
    (granule > 0 || count == 0) && StreamTime(checking: granule, at: sound.format.sampleRate) != nil
  }

  /// A granule that lies further off than a second is no imprecision.
  private static func patience(_ sound: OggSound) -> Int { Int(sound.format.sampleRate.hertz) }

  /// The number of the first of `count` frames that end where `granule` says.
  private func start(_ count: Int, _ granule: Int?, _ page: OggPage, _ sound: OggSound) -> Int? {
    guard let granule else { return position }
    // Of a last page that is joined nobody knows how much it cuts off, unless it is the only one.
    guard let position else { return page.isLast && granule > count ? nil : max(0, granule - count) }
    let counted = position + count
    if isAtBeginning {
      // A stream may begin later than at 0, and within a packet.
      return granule >= counted || sound.allowsCutHead && !page.isLast ? granule - count : position
    }
    if page.isLast, granule < counted { return position }
    return abs(granule - counted) > Self.patience(sound) ? max(0, granule - count) : position
  }

  /// Numbers packets one after the other.
  private func fill(_ packets: inout [OggPacket], _ range: Range<Int>, from start: Int?) {
    guard var next = start else { return }
    for index in range {
      packets[index].firstFrame = next
      next += packets[index].frames
    }
  }

  /// Mutes the last `count` frames.
  private func cut(_ packets: inout [OggPacket], _ count: Int) {
    var rest = count
    for index in packets.indices.reversed() where rest > 0 {
      let part = min(rest, packets[index].frames, PacketPart.most)
      packets[index].mutedTail = part
      rest -= min(rest, packets[index].frames)
    }
  }
}
