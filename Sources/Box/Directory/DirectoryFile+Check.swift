extension DirectoryFile {
  /// Whether the offsets are such as `DirectoryWriter` writes them: anybody can make a file with a right checksum.
  ///
  /// No offset falls and no text is longer than it may be. So no two texts or postings share bytes, and a question
  /// costs no more than the file is long. It reads each offset once.
  var isSound: Bool {
    let kinds = FileLayout.TermKind.allCases
    let termCount = kinds.reduce(0) { $0 + self.termCount($1) }
    let labelCount = termCount - self.termCount(.word)
    return kinds.allSatisfy { self.termCount($0) <= $0.most }
      && whole(.source).count <= FileLayout.longestSource
      && whole(.symbols).count <= TextCode.most * TextCode.symbolSize
      && rises(.records, FileLayout.Record.text, FileLayout.recordSize, count, .texts, FileLayout.longestText)
      && rises(.terms, 0, FileLayout.termSize, termCount + 1, .termTexts, FileLayout.longestTerm)
      && rises(.terms, 4, FileLayout.termSize, termCount + 1, .postings, .max)
      && rises(.labels, 0, 4, labelCount + 1, .labelTexts, DirectoryEntry.longestWord)
  }

  /// Whether offsets begin at zero, never fall, and lie in a section, and each is at most `most` behind the one before,
  /// the section's end behind the last.
  ///
  /// - Parameters:
  ///   - section: Where the offsets are.
  ///   - place: The first one's place there.
  ///   - step: From one to the next.
  ///   - count: How many there are.
  ///   - texts: What they are places of.
  ///   - most: The longest text.
  private func rises(
    _ section: FileLayout.Section, _ place: Int, _ step: Int, _ count: Int, _ texts: FileLayout.Section, _ most: Int
  ) -> Bool {
    let offsets = whole(section)
    let end = whole(texts).count
    var (last, place) = (0, place)
    for index in 0..<count {
      guard place + 4 <= offsets.count else { return false }
      let offset = Int(UInt32(littleEndian: offsets.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
      guard index > 0 || offset == 0, offset >= last, offset - last <= most else { return false }
      (last, place) = (offset, place + step)
    }
    return last <= end && end - last <= most
  }
}
