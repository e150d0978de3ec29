extension DirectoryFile {
  /// True if all offsets are as `DirectoryWriter` writes them. A forged file may have a valid checksum.
  ///
  /// Offsets never decrease and no text is too long, so that texts and postings do not overlap, and a query costs at
  /// most the file's length. Reads each offset once.
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

  /// True if the offsets begin at zero, never decrease, and differ by at most `most` bytes. `section` has an offset
  /// every `step` bytes from `place`. The end of `texts`, to which they refer, counts as the last offset.
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
