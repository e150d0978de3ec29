/// What the last page in a file's tail tells: how long its link is.
public struct OggTail: Hashable, Sendable, BitwiseCopyable {
  /// The logical stream's number.
  public let serial: UInt32
  /// Frames up to the link's end; of Opus at 48 kHz, what is skipped at its beginning included.
  public let granule: Int

  /// The last page of `serial`, or of any stream where that is nil, in a file's last bytes; nil where none is whole.
  init?(_ tail: Span<UInt8>, of serial: UInt32?) {
    var reader = OggPageReader()
    var found: OggPage?
    var place = 0
    while true {
      place += reader.append(tail.extracting(place..<tail.count))
      if place == tail.count { reader.finish() }
      while let page = reader.next() {
        if page.granule != nil, serial == nil || page.serial == serial { found = page }
        reader.pass(page)
      }
      if place == tail.count { break }
    }
    guard let found, let granule = found.granule else { return nil }
    (self.serial, self.granule) = (found.serial, granule)
  }
}
