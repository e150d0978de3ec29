import Testing
import Units

@testable import Http
@testable import Network

@Suite struct SegmentFetchTests {
  private final class Taker: SegmentReceiver {
    var ends: [TransferEnd] = []

    func admits(_ fetch: SegmentFetch) -> Bool { true }
    func received(_ fetch: SegmentFetch, _ bytes: Span<UInt8>) {}
    func ended(_ fetch: SegmentFetch, _ end: TransferEnd) { ends.append(end) }
  }

  @Test("A list of 16 MB is refused (H7)")
  func endless() throws {
    let (taker, comment) = (Taker(), [UInt8](repeating: 0x23, count: 1 << 20))
    let fetch = SegmentFetch(.list, nil, for: taker, by: try HttpEngine())
    let list = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n0.mp3\n"
    _ = fetch.transferDidReceive(Array(list.utf8).span)
    for _ in 0..<15 { _ = fetch.transferDidReceive(comment.span) }
    #expect(taker.ends.isEmpty)
    for _ in 0..<2 { _ = fetch.transferDidReceive(comment.span) }
    #expect(taker.ends == [.complete] && fetch.finishList() == nil)
  }
}
