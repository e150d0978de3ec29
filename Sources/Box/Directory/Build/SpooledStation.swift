import Units

/// A station while the directory is built, 24 bytes: its sort keys and its position in the spool.
struct SpooledStation {
  /// The first eight bytes of the folded name, as a number with the same sort order.
  let nameKey: UInt64
  let identity: UInt64
  /// Sort key: stations that respond come first, then stations with more votes.
  let order: UInt32
  let offset: UInt32
}

/// A station of the spool; its parts have the order of `write`.
struct SpoolReader {
  let uuidHigh: UInt64
  let uuidLow: UInt64
  let votes: UInt32
  let bitRate: UInt16
  let flags: UInt8
  let foldedName: UnsafeRawBufferPointer
  let addressHash: UInt32
  let name: UnsafeRawBufferPointer
  let url: UnsafeRawBufferPointer
  let homepage: UnsafeRawBufferPointer
  let state: UnsafeRawBufferPointer
  let countryCode: UnsafeRawBufferPointer
  let country: UnsafeRawBufferPointer
  let codec: UnsafeRawBufferPointer
  let tags: [UnsafeRawBufferPointer]
  let languages: [UnsafeRawBufferPointer]

  init(_ spool: FileBytes, at offset: UInt32) {
    let start = Int(offset)
    uuidHigh = spool.number(start)
    uuidLow = spool.number(start + 8)
    votes = spool.number(start + 16)
    addressHash = spool.number(start + 20)
    bitRate = spool.number(start + 24)
    flags = spool.number(start + 26)
    var reader = VarintReader(spool.slice(start + 27..<spool.count))
    foldedName = reader.text()
    name = reader.text()
    url = reader.text()
    homepage = reader.text()
    state = reader.text()
    countryCode = reader.text()
    country = reader.text()
    codec = reader.text()
    let tagCount = Int(reader.number())
    tags = (0..<min(tagCount, DirectoryEntry.maxTags)).map { _ in reader.text() }
    let languageCount = Int(reader.number())
    languages = (0..<min(languageCount, DirectoryEntry.maxLanguages)).map { _ in reader.text() }
  }

  static func foldedName(_ spool: FileBytes, at offset: UInt32) -> UnsafeRawBufferPointer {
    var reader = VarintReader(spool.slice(Int(offset) + 27..<spool.count))
    return reader.text()
  }

  static func write(_ entry: DirectoryEntry, folded: FoldedText, to bytes: inout [UInt8]) {
    bytes.append(
      fixed: entry.uuid?.high ?? 0, entry.uuid?.low ?? 0, UInt32(clamping: entry.votes),
      ShortHash.of(entry.url.unredacted.utf8), UInt16(clamping: entry.bitRate),
      (entry.isAlive ? FileLayout.Record.isAlive : 0) | (entry.isHls ? FileLayout.Record.isHls : 0))
    bytes.append(text: folded.bytes)
    for text in [
      entry.name, entry.url.unredacted, entry.homepage, entry.state, entry.countryCode, entry.country, entry.codec,
    ] {
      bytes.append(text: text.utf8)
    }
    for list in [entry.tags, entry.languages] {
      bytes.append(varint: UInt32(list.count))
      for text in list { bytes.append(text: text.utf8) }
    }
  }
}
