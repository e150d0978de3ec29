import Listings
import Testing

/// Numbers of segments in lists without EXT-X-MEDIA-SEQUENCE.
struct SegmentNumberingTests {
  private static func list(_ names: String, header: String = "") throws -> SegmentList {
    var text = "#EXT-X-TARGETDURATION:4\n\(header)"
    for name in names { text += "#EXTINF:4,\n\(name).ts\n" }
    return try #require(try SegmentReading.media(text))
  }

  @Test(
    "A sliding list without numbers continues the numbers of the earlier list",
    arguments: [
      ("abcd", "abcd", 0), ("abcd", "abcde", 0), ("abcd", "bcde", 1), ("abcd", "defg", 3), ("abcd", "efgh", 4),
      ("abcd", "xyz", 4), ("abab", "abab", 0), ("abab", "baba", 1), ("aaaa", "aaaaa", 0), ("abcd", "cd", 2),
      ("abcd", "bcx", 4), ("a", "b", 1),
    ])
  func slides(older: String, newer: String, first: UInt64) throws {
    let numbered = try Self.list(newer).numbered(after: try Self.list(older))
    #expect(numbered.sequence == first)
    #expect(numbered.segments.map(\.sequence) == newer.indices.enumerated().map { first + UInt64($0.offset) })
  }

  @Test("Numbers grow over many lists")
  func grows() throws {
    let names = Array("abcdefghijklmnop")
    var list = try Self.list(String(names[0..<4]))
    for place in 1..<12 {
      list = try Self.list(String(names[place..<place + 4])).numbered(after: list)
      #expect(list.segments.first?.sequence == UInt64(place))
    }
  }

  @Test("Numbers in a list are never changed")
  func numbered() throws {
    let header = "#EXT-X-MEDIA-SEQUENCE:7\n"
    let (plain, told) = (try Self.list("abcd"), try Self.list("bcde", header: header))
    #expect(told.numbered(after: plain).sequence == 7)
    #expect(plain.numbered(after: told).sequence == 0)
    #expect(!plain.isNumbered && told.isNumbered)
  }

  @Test("A number that is the same in each sliding list counts as none")
  func constant() throws {
    let header = "#EXT-X-MEDIA-SEQUENCE:7\n"
    let names = Array("abcdefghijklmnop")
    var list = try Self.list(String(names[0..<4]), header: header)
    for place in [1, 1, 3, 4, 10] {
      list = try Self.list(String(names[place..<place + 4]), header: header).numbered(after: list)
      #expect(list.segments.first?.sequence == UInt64(7 + min(place, 8)) && list.sequence == list.segments[0].sequence)
    }
    // Another number ends this.
    #expect(try Self.list("xyz", header: "#EXT-X-MEDIA-SEQUENCE:9\n").numbered(after: list).sequence == 9)
  }

  @Test("An equal number with other addresses is a restart of the packager", arguments: ["wxyz", "axyz"])
  func restart(names: String) throws {
    let header = "#EXT-X-MEDIA-SEQUENCE:0\n"
    let list = try Self.list(names, header: header)
    #expect(list.numbered(after: try Self.list("abcd", header: header)) == list)
  }

  @Test("Addresses with a new ticket in each list are compared without it")
  func tickets() throws {
    func list(_ names: String, _ ticket: Int) throws -> SegmentList {
      var text = "#EXT-X-TARGETDURATION:4\n"
      for name in names { text += "#EXTINF:4,\n\(name).ts?ticket=\(ticket)\n" }
      return try #require(try SegmentReading.media(text))
    }
    #expect(try list("cdef", 2).numbered(after: try list("abcd", 1)).sequence == 2)
    #expect(try list("abcd", 2).numbered(after: try list("abcd", 1)).sequence == 0)
  }

  @Test("Queries that number the segments are compared")
  func numberedQueries() throws {
    func list(_ numbers: Range<Int>) throws -> SegmentList {
      var text = "#EXT-X-TARGETDURATION:4\n"
      for number in numbers { text += "#EXTINF:4,\nget?segment=\(number)\n" }
      return try #require(try SegmentReading.media(text))
    }
    #expect(try list(2..<6).numbered(after: try list(0..<4)).sequence == 2)
    #expect(try list(9..<12).numbered(after: try list(0..<4)).sequence == 4)
  }

  @Test("Byte ranges of one file are compared too")
  func ranges() throws {
    func list(_ offsets: Range<Int>) throws -> SegmentList {
      var text = "#EXT-X-TARGETDURATION:4\n"
      for offset in offsets { text += "#EXTINF:4,\n#EXT-X-BYTERANGE:100@\(100 * offset)\nall.ts\n" }
      return try #require(try SegmentReading.media(text))
    }
    #expect(try list(2..<6).numbered(after: try list(0..<4)).sequence == 2)
  }

  @Test("Empty lists have no numbers to match")
  func empty() throws {
    let (some, none) = (try Self.list("abcd"), try Self.list(""))
    #expect(none.numbered(after: some) == none)
    #expect(some.numbered(after: none) == some)
  }
}
