import Units

/// Converts segments as written into segments that can be requested, from newest to oldest.
struct SegmentCleaner {
  private(set) var segments: [MediaSegment] = []

  private let sequence: UInt64
  private let discontinuitySequence: UInt64
  private let variables: PlaylistVariables
  private var byteCount = 0
  /// Date of the last converted segment.
  private var date: Int64?
  // The last results, because most segments share their map and key.
  private var maps: (written: SegmentMap?, clean: SegmentMap?)
  private var keys: (written: SegmentKey?, clean: SegmentKey?)
  private var details: (written: SegmentDetails?, clean: SegmentDetails?)

  init(_ list: SegmentList, _ variables: PlaylistVariables, count: Int) {
    segments.reserveCapacity(count)
    (sequence, discontinuitySequence) = (list.sequence, list.discontinuitySequence)
    self.variables = variables
  }

  /// Converts a segment, or skips it if its address is unusable. Returns false if the text limit is exceeded.
  mutating func add(_ written: MediaSegment) -> Bool {
    // RFC 8216, 4.3.2.6: the first date also determines those of earlier segments.
    let date = written.date ?? date.flatMap { SegmentDate.moment($0, plus: .zero - written.duration) }
    self.date = date
    guard let address = clean(written.address) else {
      if written.isDiscontinuous, !segments.isEmpty { segments[segments.count - 1].isDiscontinuous = true }
      return true
    }
    var segment = written
    segment.address = address
    segment.sequence &+= sequence
    segment.discontinuity &+= discontinuitySequence
    segment.date = date
    var own = address.utf8.count
    if segment.title != segments.last?.title { own += segment.title?.utf8.count ?? 0 }
    if segment.artist != segments.last?.artist { own += segment.artist?.utf8.count ?? 0 }
    segment.details = cleanDetails(of: written, &own)
    byteCount += own
    guard byteCount <= SegmentList.textLimit else { return false }
    segments.append(segment)
    return true
  }

  private mutating func cleanDetails(of written: MediaSegment, _ byteCount: inout Int) -> SegmentDetails? {
    if written.details == details.written { return details.clean }
    if written.map != maps.written { maps = (written.map, written.map.flatMap { clean($0, &byteCount) }) }
    if written.key != keys.written { keys = (written.key, written.key.map { clean($0, &byteCount) }) }
    var fields = written.details?.fields ?? SegmentDetails.Fields()
    (fields.map, fields.key) = (maps.clean, keys.clean)
    details = (written.details, SegmentDetails(fields))
    return details.clean
  }

  /// Returns the segments from oldest to newest, and clears them.
  mutating func removeSegments() -> [MediaSegment] {
    var taken: [MediaSegment] = []
    swap(&taken, &segments)
    taken.reverse()
    return taken
  }

  /// Returns an address that can be requested, nil if unusable; shares memory if nothing changes.
  private func clean(_ address: String) -> String? {
    let clean = variables.substituted(address).flatMap { Reference($0[...])?.text }
    return clean == address ? address : clean
  }

  private func clean(_ map: SegmentMap, _ byteCount: inout Int) -> SegmentMap? {
    guard let address = clean(map.address) else { return nil }
    var map = map
    map.address = address
    byteCount += address.utf8.count
    map.key = map.key.map { clean($0, &byteCount) }
    return map
  }

  private func clean(_ key: SegmentKey, _ byteCount: inout Int) -> SegmentKey {
    var key = key
    key.address = key.address.flatMap(clean)
    byteCount += key.address?.utf8.count ?? 0
    return key
  }
}
