import Directory
import DirectorySupport
import SeededRandom
import Testing

struct ListReaderTests {
  /// Reads a list in pieces. `sizes`: piece sizes in bytes, used in turn.
  private func read(
    _ list: [UInt8], sizes: [Int] = [4_096]
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

  private func csv(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test("CSV and XML give the same stations, in any pieces (G2)")
  func bothForms() {
    let expected = SampleStations(200).compactMap { DirectoryEntry($0) }
    for list in [SampleStations.csv(200), SampleStations.xml(200)] {
      for sizes in [[list.count], [1], [7, 64, 3], [1_448]] {
        let result = read(list, sizes: sizes)
        #expect(result.entries == expected && result.error == nil && result.passedOver == 0)
      }
    }
  }

  @Test("Columns are found by name, in any order, with a byte order mark and either line end (G2)")
  func columns() {
    for end in ["\n", "\r\n", "\r"] {
      let list = ["\u{FEFF}url,other,NAME,votes", "http://a/,x,A,7", "", "http://b/,,B,", ""].joined(separator: end)
      let result = read(csv(list), sizes: [1])
      #expect(result.entries.map(\.name) == ["A", "B"] && result.entries.map(\.votes) == [7, 0], "\(end.utf8.count)")
      #expect(result.error == nil)
    }
  }

  @Test("Quoted fields may contain commas, quotes and line breaks (G2)")
  func quotes() {
    let result = read(csv("name,url\n\"A, \"\"B\"\"\nC\",\"http://a/?b,c\"\n"), sizes: [1])
    #expect(result.entries.map(\.name) == ["A, \"B\" C"] && result.entries.map(\.url.unredacted) == ["http://a/?b,c"])
  }

  @Test("Broken rows are skipped and counted (G2)")
  func brokenRows() {
    let result = read(csv("name,url\nA,http://a/\nB\nC,http://c/,more\nD,ftp://d/\n,\nE,http://e/\n"))
    #expect(result.entries.map(\.name) == ["A", "E"] && result.passedOver == 4 && result.error == nil)
  }

  @Test("A line of ten megabytes costs one row and little memory (G2)")
  func longLines() {
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: 10 << 20)
    let rows = Array((0..<2_000).map { "N\($0),http://a/\($0)\n" }.joined().utf8)
    let quote = [UInt8(ascii: "\"")]
    for bad in [long, quote + long + quote, quote + csv("\n,,\"\"\r\n") + long + quote + csv(",http://a/")] {
      let result = read(csv("name,url\n") + bad + csv("\n") + rows, sizes: [65_536])
      #expect(result.entries.count == 2_000 && result.passedOver == 1 && result.error == nil)
    }
    let xml = csv("<result><station name=\"") + long + csv("\" url=\"http://a/\"/></result>")
    #expect(read(xml, sizes: [65_536]).error == .malformed(line: 1))
  }

  @Test("An unclosed quote makes the list malformed, so that XML is requested (G2)")
  func openQuote() {
    let rows = (0..<5_000).map { "N\($0),http://a/\($0)\n" }.joined()
    let result = read(csv("name,url\nA,http://a/\n\"" + rows), sizes: [65_536])
    #expect(result.entries.map(\.name) == ["A"] && result.error == .malformed(line: 3))
    #expect(read(csv("name,url\nA,http://a/\n\"B,http://b/\n")).error == .cutOff)
  }

  @Test("A line break in an oversized field starts no row (G2)", arguments: ["\n", "\r\n", "\r"])
  func forgedRow(_ end: String) {
    let uuid = "960e57c5-0601-11e8-ae97-52543be04c81"
    let forged = "x,\(uuid),Kitchen FM,http://evil.example/s"
    let row = "1,\"\"\" \(String(repeating: "A", count: 66_000))\(end)\(forged)\(end)x\"\"\",B,http://b/"
    for field in [row, row.replacing("\"\"", with: "")] {
      let list = csv("changeuuid,stationuuid,name,url\(end)\(field)\(end)y,\(uuid),Kind FM,http://k.example/\(end)")
      for sizes in [[list.count], [1_448], [65_536, 1]] {
        let result = read(list, sizes: sizes)
        #expect(result.entries.map(\.name) == ["Kind FM"] && result.passedOver == 1 && result.error == nil)
      }
    }
  }

  @Test(
    "Content that is not a list is reported (G2)",
    arguments: [
      ("", .notAList(.nothing)), (" \n", .notAList(.nothing)), ("<!DOCTYPE html><html>", .notAList(.html)),
      (" <HTML><body>502", .notAList(.html)), ("[{\"name\":\"A\"}]", .notAList(.json)), ("{}", .notAList(.json)),
      ("\u{1F}\u{8B}", .notAList(.otherText)), ("Bad gateway\n", .notAList(.otherText)),
      ("name,homepage\nA,B\n", .notAList(.otherText)),
      ("<rss><channel/></rss>", .notAList(.otherXml)), ("name,url\n", .empty), ("name,url\nA,B\n", .empty),
      ("<result/>", .empty), ("<result><station name='A' url='http://a/'></result>", .malformed(line: 1)),
      ("<!DOCTYPE result [<!ENTITY a 'b'>]><result/>", .malformed(line: 1)),
    ] as [(String, DirectoryError)])
  func noLists(_ text: String, _ error: DirectoryError) {
    #expect(read(csv(text), sizes: [1]).error == error)
    #expect(read(csv(text)).error == error)
  }

  @Test("Only the first bytes decide the format, however many arrive at once (G2)")
  func start() {
    let blanks = String(repeating: " ", count: 600)
    let list = csv("<result>\(blanks)<station name='A' url='http://a/'/><!-- <html> --></result>")
    for size in [1, 511, 512, 513, list.count] {
      let result = read(list, sizes: [size])
      #expect(result.entries.map(\.name) == ["A"] && result.error == nil, "\(size)")
      #expect(read(csv(blanks + "name,url\nA,http://a/\n"), sizes: [size]).error == .notAList(.nothing))
    }
  }

  @Test("Compressed bytes are reported (G2)")
  func compressed() {
    #expect(read([0x1F, 0x8B, 8, 0, 0]).error == .notAList(.compressed))
  }

  @Test("A list that ends inside a row or an element is truncated (G2)")
  func cutOff() {
    let table = SampleStations.csv(3)
    let header = SampleStation.csvHeader.utf8.count
    for end in header..<table.count where table[end - 1] != UInt8(ascii: "\n") {
      #expect(read(Array(table[..<end])).error == .cutOff, "\(end)")
    }
    let tree = SampleStations.xml(3)
    for end in 60..<tree.count - "</result>\n".utf8.count + 9 {
      #expect(read(Array(tree[..<end])).error == .cutOff, "\(end)")
    }
  }

  @Test("A corrupted byte never traps, and stations stay clean (G2)")
  func damaged() {
    var random = SeededGenerator(7)
    for list in [SampleStations.csv(20), SampleStations.xml(20)] {
      for _ in 0..<150 {
        var bytes = list
        for _ in 0..<3 { bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next()) }
        let whole = read(bytes, sizes: [bytes.count])
        let cut = read(bytes, sizes: [13, 1, 100])
        #expect(whole.entries == cut.entries && whole.error == cut.error)
      }
    }
  }

  @Test("An error of the consumer is rethrown, and stays (G2)")
  func otherErrors() throws {
    let reader = DirectoryListReader()
    let list = SampleStations.csv(50)
    for _ in 0..<2 {
      #expect(throws: DirectoryError.tooLarge) {
        try reader.append(list.span) { _ throws(DirectoryError) in throw .tooLarge }
      }
    }
  }
}
