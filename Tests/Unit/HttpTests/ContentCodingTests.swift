import Testing
import Units

@testable import Http

/// The `Content-Encoding` of a response head.
struct ContentCodingTests {
  private static func head(_ values: [String]) -> HttpHead {
    var head = HttpHead(status: 200, effectiveURL: StationAddress("http://a/"))
    for value in values { head.store("content-encoding", value) }
    return head
  }

  @Test("Repeated codings are joined")
  func joined() {
    #expect(Self.head(["gzip"]).isUnpackable && Self.head(["gzip"]).isGzipped)
    #expect(Self.head(["identity"]).isUnpackable && !Self.head(["gzip", "gzip"]).isUnpackable)
    #expect(Self.head(["a", "b"]).contentEncoding == "a, b")
  }

  @Test("The text of a thousand codings fits the limit of one header, and is not unpacked")
  func bound() {
    let head = Self.head(Array(repeating: "identity", count: 1_000))
    #expect(head.contentEncoding?.utf8.count ?? 0 <= 2_048)
    #expect(!head.isUnpackable)
  }
}
