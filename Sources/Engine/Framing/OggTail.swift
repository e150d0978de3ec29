/// What the last page in a file's tail tells: how long its link is.
struct OggTail {
  /// The logical stream's number.
  let serial: UInt32
  /// Frames up to the link's end; of Opus at 48 kHz, what is skipped at its beginning included.
  let granule: Int

  /// The last page in a file's last bytes that tells where its packets end; nil where none is whole.
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
