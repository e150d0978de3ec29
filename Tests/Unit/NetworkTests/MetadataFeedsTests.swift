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
