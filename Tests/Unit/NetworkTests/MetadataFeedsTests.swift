import Testing
import Units

@testable import Http
@testable import Network

struct MetadataFeedsTests {
  private static let air = OnAir(
    line: ConnectionID.none.next, settled: MonotonicTime(seconds: 7), lastData: MonotonicTime(seconds: 6), time: .zero)

  private func request(_ adapt: (inout ExternalMetadata) -> Void) -> StationRequest {
    var request = StationRequest(url: "http://127.0.0.1:1/")
    adapt(&request.externalMetadata)
    return request
  }

  private func dues(_ feeds: borrowing MetadataFeeds) -> [MonotonicTime] { [feeds.due(nil), feeds.due(Self.air)] }

  private func block(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test("A block's title has its address, and a block without a title is ignored")
  func blocks() throws {
    let feeds = MetadataFeeds(try HttpEngine())
    let whole = block("StreamTitle='A - B';StreamUrl='http://a/';")
    let title = feeds.title(in: whole.span)
    #expect(title == StationTitle(text: "A - B", url: "http://a/"))
    let bare = block("StreamTitle='A';StreamUrl='';")
    let bareTitle = feeds.title(in: bare.span)
    #expect(bareTitle == StationTitle(text: "A"))
    let other = block("StreamUrl='http://a/';")
    let none = feeds.title(in: other.span)
    #expect(none == nil)
  }

  @Test("Another programme may start with the last title")
  func programmes() throws {
    var feeds = MetadataFeeds(try HttpEngine())
    let title = StationTitle(text: "A")
    feeds.begin(request { _ in })
    let first = feeds.accept(title, at: .zero)
    let again = feeds.accept(title, at: .zero)
    feeds.begin(request { _ in })
    let anew = feeds.accept(title, at: .zero)
    #expect(first != nil && again == nil && anew == first)
  }

  @Test("A feed is polled after the burst, and only if started")
  func due() throws {
    var feeds = MetadataFeeds(try HttpEngine())
    let station = request { $0.xmlURL = "http://127.0.0.1:1/now.xml" }
    feeds.begin(station)
    let dues1 = dues(feeds)
    #expect(dues1 == [.never, MonotonicTime(seconds: 7)])
    feeds.end()
    let dues2 = dues(feeds)
    #expect(dues2 == [.never, .never])
    feeds.begin(
      request {
        $0.xmlURL = "http://127.0.0.1:1/now.xml"
        $0.isBegun = false
      })
    let dues3 = dues(feeds)
    #expect(dues3 == [.never, .never])
    feeds.start(station)
    let dues4 = dues(feeds)
    #expect(dues4 == [.never, MonotonicTime(seconds: 7)])
  }

  @Test("A UDP port for titles stays open until the stream has titles")
  func port() throws {
    var feeds = MetadataFeeds(try HttpEngine())
    feeds.begin(request { $0.usesAudioCast = true })
    let (port, descriptor) = (feeds.port, feeds.descriptor)
    #expect(port != nil && descriptor != nil)
    feeds.answered(by: "127.0.0.1", hasTitles: false)
    let kept = feeds.port
    #expect(kept == port)
    feeds.answered(by: "127.0.0.1", hasTitles: true)
    let closed = feeds.port
    #expect(closed == nil)
  }
}
