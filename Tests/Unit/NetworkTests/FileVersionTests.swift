import Testing
import Units

@testable import Http
@testable import Network

struct FileVersionTests {
  private static func head(
    _ status: Int = 200, length: Int64? = nil, from start: Int64? = nil, of total: Int64? = nil, etag: String? = nil,
    date: String? = nil, coding: String? = nil
  ) -> HttpHead {
    var head = HttpHead(status: status, effectiveURL: "http://a/")
    (head.contentLength, head.contentRangeStart, head.contentRangeTotal) = (length, start, total)
    (head.etag, head.lastModified, head.contentEncoding) = (etag, date, coding)
    return head
  }

  static let pairs: [(one: HttpHead, other: HttpHead, differs: Bool)] = [
    (head(), head(), false), (head(length: 9), head(length: 9), false), (head(length: 9), head(length: 8), true),
    (head(length: 9), head(), false), (head(), head(length: 9), false),
    (head(length: 9), head(206, length: 4, from: 5, of: 9), false),
    (head(length: 9), head(206, length: 4, from: 5, of: 10), true),
    (head(length: 9), head(206, length: 4, from: 5), false), (head(length: 9), head(206, length: 4), false),
    (head(206, length: 4, from: 0, of: 9), head(length: 9), false),
    (head(206, length: 4, from: 0), head(length: 9), false), (head(etag: "1"), head(etag: "2"), true),
    (head(etag: "1"), head(etag: "1"), false), (head(etag: "1"), head(), false),
    (head(date: "a"), head(date: "b"), true), (head(etag: "1", date: "a"), head(etag: "1", date: "b"), false),
    (head(etag: "1", date: "a"), head(date: "b"), false),
  ]

  @Test("Lengths and tags distinguish versions, dates without a tag", arguments: pairs.indices)
  func differs(index: Int) {
    let pair = Self.pairs[index]
    #expect(FileVersion(pair.one).differs(from: pair.other) == pair.differs)
  }

  @Test("The strong tag validates a version, else the date")
  func validator() {
    #expect(FileVersion(Self.head(etag: "\"1\"", date: "a")).validator == "\"1\"")
    #expect(FileVersion(Self.head(etag: "W/\"1\"", date: "a")).validator == "a")
    #expect(FileVersion(Self.head(etag: "W/\"1\"")).validator == nil)
    #expect(FileVersion(Self.head()).validator == nil)
  }

  @Test("A part needs the same version, the requested byte and the first coding")
  func parts() {
    let version = FileVersion(Self.head(length: 9, etag: "1", coding: "x"))
    #expect(version.isPart(Self.head(206, from: 5, of: 9, etag: "1", coding: "x"), from: 5))
    #expect(version.isPart(Self.head(206, from: 5, of: 9), from: 5))
    for other in [
      Self.head(200, from: 5, of: 9), Self.head(206, from: 4, of: 9), Self.head(206, of: 9),
      Self.head(206, from: 5, of: 8), Self.head(206, from: 5, of: 9, etag: "2"),
      Self.head(206, from: 5, of: 9, coding: "y"),
    ] { #expect(!version.isPart(other, from: 5)) }
  }
}
