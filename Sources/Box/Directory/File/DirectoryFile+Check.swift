extension DirectoryFile {
  /// True if all offsets are as `DirectoryWriter` writes them. The checksum alone does not detect a forged file.
  ///
  /// Valid offsets never decrease, and no text is too long. Texts and postings thus cannot overlap, and a query reads
  /// at most the whole file. Reads each offset once.
  var isSound: Bool {
    let kinds = FileLayout.TermKind.allCases
    let termCount = kinds.reduce(0) { $0 + self.termCount($1) }
    let labelCount = termCount - self.termCount(.word)
    return kinds.allSatisfy { self.termCount($0) <= $0.maxCount }
      && whole(.source).count <= FileLayout.maxSourceLength
      && whole(.symbols).count <= TextCode.maxSymbols * TextCode.symbolSize
      && rises(.records, FileLayout.Record.text, FileLayout.recordSize, count, .texts, FileLayout.maxTextLength)
      && rises(.terms, 0, FileLayout.termSize, termCount + 1, .termTexts, FileLayout.maxTermLength)
      && rises(.terms, 4, FileLayout.termSize, termCount + 1, .postings, .max)
      && rises(.labels, 0, 4, labelCount + 1, .labelTexts, DirectoryEntry.maxWordLength)
  }

  /// Returns true if offsets start at zero, never decrease, and differ by at most `most` bytes. `section`: contains the
  /// offsets, every `step` bytes from `place`. `texts`: the section of the texts, whose end is the last offset.
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
