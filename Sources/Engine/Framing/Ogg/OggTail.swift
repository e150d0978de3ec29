/// The last granule position in the tail of a file, which gives the length of its link.
struct OggTail {
  let serial: UInt32
  /// Frames up to the end of the link; for Opus at 48 kHz, with the pre-skip.
  let granule: Int

  init?(_ tail: Span<UInt8>) {
    var reader = OggPageReader()
    var found: OggPage?
    var place = 0
    while true {
      place += reader.append(tail.extracting(place..<tail.count))
      if place == tail.count { reader.finish() }
      while let page = reader.next() {
        if page.granule != nil { found = page }
        reader.pass(page)
      }
      if place == tail.count { break }
    }
    guard let found, let granule = found.granule else { return nil }
    (self.serial, self.granule) = (found.serial, granule)
  }
}
