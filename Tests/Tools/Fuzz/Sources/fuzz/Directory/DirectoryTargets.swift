@testable import Directory
import Glibc
import Units

/// Reads any bytes as a CSV list of stations. The first bytes choose the sizes of the pieces.
final class DirectoryTable: FuzzTarget {
  static let name = "directory-csv"
  static let seeds = [
    "\0\u{3}stationuuid,name,url,url_resolved,homepage,tags,country,countrycode,state,language,votes,codec,bitrate,hls,"
      + "lastcheckok\n960e57c5-0601-11e8-ae97-52543be04c81,\"A, \"\"b\"\"\",http://a/,,http://a.b/,\"jazz,pop\",X,DE,s,"
      + "german,7,MP3,128,0,1\n",
    "\u{1}\u{1}\u{9}\u{FEFF}url,name\r\nhttps://a/,Ράδιο 北京\r\n\r\n,b\r\n\"http://b/\",\"c\nd\"\r\n",
    "\0\u{7}name,url\n\"a\"b,http://a/\n\"\",\"\n",
  ].map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let pieces = (recipe.number(0...1), recipe.number(1...256), recipe.number(1...256))
    DirectoryCheck.check(recipe.rest(), sizes: pieces.0 == 0 ? [pieces.1] : [pieces.1, pieces.2])
  }
}

/// Reads any bytes as an XML list of stations. The first bytes choose the sizes of the pieces.
final class DirectoryTree: FuzzTarget {
  static let name = "directory-xml"
  static let seeds = [
    "\0\u{5}<?xml version=\"1.0\"?>\n<result><station name=\"A &amp; &#98;\" url='http://a/' tags='jazz,pop' "
      + "countrycode='DE' stationuuid='960e57c5-0601-11e8-ae97-52543be04c81' votes='7' lastcheckok='1'/></result>",
    "\u{1}\u{1}\u{2}\u{FEFF} <result><station name='b' url_resolved='https://b/'>c<d/></station>"
      + "<e name='f' url='http://f/'/>",
    "\0\u{1}<!DOCTYPE html><html></html>", "\0\u{1}<rss/>", "\0\u{1}{\"a\":1}",
  ].map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let pieces = (recipe.number(0...1), recipe.number(1...256), recipe.number(1...256))
    DirectoryCheck.check(recipe.rest(), sizes: pieces.0 == 0 ? [pieces.1] : [pieces.1, pieces.2])
  }
}

/// Reads a directory with changed bytes, or the input as a directory. The checksum is always correct.
final class DirectoryReading: FuzzTarget {
  static let name = "directory-file"
  static let seeds: [[UInt8]] = [[0, 1, 2, 3, 4, 5], [1], [0] + Array("\u{5}jazz\0\u{28}\u{FF}".utf8)]

  private let whole = DirectoryCheck.file()

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let isOwn = recipe.flag()
    let words = [recipe.text(12), recipe.text(4)]
    var file = isOwn ? FileLayout.magic + [1, 0, 0, 0] : whole
    if isOwn {
      file += recipe.rest()
      DirectoryCheck.put(UInt64(file.count), at: FileLayout.Header.length, in: &file)
    } else {
      while !recipe.isOver {
        let place = FileLayout.Header.date + recipe.number(0...file.count - FileLayout.Header.date - 1)
        file[place] = recipe.byte()
      }
    }
    guard file.count >= FileLayout.checkedFrom else { return }
    let sum = file[FileLayout.checkedFrom...].withUnsafeBytes { Checksum.of($0) }
    DirectoryCheck.put(sum, at: FileLayout.Header.checksum, in: &file)
    guard let directory = try? file.withUnsafeBytes({ try StationDirectory(bytes: $0) }) else { return }
    DirectoryCheck.ask(directory, words)
  }
}

/// Invariants of all lists and directories.
private enum DirectoryCheck {
  static func check(_ list: [UInt8], sizes: [Int]) {
    let whole = read(list, sizes: [max(1, list.count)])
    let cut = read(list, sizes: sizes)
    expect(whole.entries == cut.entries && whole.error == cut.error, "a list is the same however it is cut")
    expect(whole.passedOver == cut.passedOver, "and as many rows are passed over")
    for entry in whole.entries {
      expect((1...DirectoryEntry.maxNameLength).contains(entry.name.utf8.count), "a name has its measure")
      expect(entry.url.byteCount <= DirectoryEntry.maxUrlLength, "an address has its measure")
      let texts = [entry.name, entry.url.unredacted, entry.homepage, entry.country, entry.state, entry.codec]
      for text in texts + entry.tags + entry.languages {
        expect(!text.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) }, "texts are clean")
      }
      expect(
        ["http", "https"].contains(entry.url.unredacted.prefix { $0 != ":" }.lowercased()), "stations play by HTTP")
      let folded = FoldedText(entry.name)
      expect(FoldedText(folded.description) == folded, "what is folded folds to itself")
    }
  }

  private static func read(
    _ list: [UInt8], sizes: [Int]
  ) -> (entries: [DirectoryEntry], passedOver: Int, error: DirectoryError?) {
    let reader = DirectoryListReader()
    var entries: [DirectoryEntry] = []
    do throws(DirectoryError) {
      var (start, count) = (0, 0)
      while start < list.count {
        let end = min(list.count, start + sizes[count % sizes.count])
        try reader.append(list.span.extracting(start..<end)) { entries.append($0) }
        (start, count) = (end, count + 1)
      }
      try reader.finish { entries.append($0) }
      return (entries, reader.passedOver, nil)
    } catch { return (entries, reader.passedOver, error) }
  }

  static func put(_ number: UInt64, at place: Int, in file: inout [UInt8]) {
    while file.count < place + 8 { file.append(0) }
    for index in 0..<8 { file[place + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * index)) }
  }

  static func file() -> [UInt8] {
    let path = "/tmp/fuzz-directory-\(getpid())"
    defer { unlink(path) }
    let names = ["Radio Köln", "Jazz FM", "Русское Радио", "北京音乐广播", "Smooth Jazz", "ラジオ"]
    do {
      let builder = try DirectoryBuilder(path: path)
      for (index, name) in names.enumerated() {
        var row = DirectoryRow()
        (row[.name], row[.url]) = (name, "https://stream.a\(index).example/live.mp3")
        (row[.homepage], row[.tags]) = ("https://www.a\(index).example/", "jazz,pop \(index)")
        (row[.countryCode], row[.language], row[.codec]) = (["DE", "RU"][index % 2], "german", "MP3")
        (row[.votes], row[.isAlive], row[.uuid]) = ("\(index)", "1", "960e57c5-0601-11e8-ae97-52543be04c8\(index)")
        if let entry = DirectoryEntry(row) { try builder.append(entry) }
      }
      _ = try builder.finish(date: 1, source: "fuzz")
    } catch { fatalError("\(error)") }
    guard let file = fopen(path, "r") else { fatalError("Cannot read \(path).") }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&bytes, 1, bytes.count, file)
    expect((try? bytes[..<count].withUnsafeBytes { try StationDirectory(bytes: $0) }) != nil, "a file can be opened")
    return Array(bytes[..<count])
  }

  /// Runs all kinds of queries.
  static func ask(_ directory: StationDirectory, _ words: [String]) {
    let count = directory.count
    for rank in [-1, 0, count / 2, count - 1, count, .max] { _ = (directory[rank], directory.name(of: rank)) }
    for word in words + ["rabio", ""] {
      let queries = [
        DirectoryQuery(word), DirectoryQuery(word + " ja"), DirectoryQuery("", country: word),
        DirectoryQuery("", country: "DE", language: word, isAliveOnly: true), DirectoryQuery("", tag: word, codec: "m"),
      ]
      for query in queries {
        let matches = directory.search(query, limit: 7, from: 1)
        expect(matches.ranks.count <= 7 && matches.total <= count, "no more is found than there is")
        expect(matches.ranks.allSatisfy { (0..<count).contains($0) }, "what is found is there")
      }
      let names = directory.names(beginning: word, limit: 7)
      expect(names.ranks.allSatisfy { (0..<count).contains($0) }, "names belong to stations")
      expect(directory.letters(after: word).count <= 200, "letters are bounded")
      _ = (directory.ranks(named: word), directory.ranks(at: StationAddress("http://\(word)/")))
    }
    _ = (directory.countries.count, directory.tags(limit: 9), directory.tags(country: "DE", limit: 9))
    _ = (directory.languages(limit: 9), directory.codecs(limit: 9), directory.source, directory.date)
    if let uuid = StationUuid("960e57c5-0601-11e8-ae97-52543be04c81") { _ = directory.rank(of: uuid) }
  }
}
