import Blocks
import Testing
import Units

@testable import Network

/// The relation of a packet to the end of the last packet, by the numbers of an Ogg stream (R4.2).
struct LinkPositionTests {
  struct Number: Sendable {
    var first: Int?
    var frames = 960
    var link: UInt32? = 5
    var followsGap = false
    var muted = (head: 0, tail: 0)
    var rate: Int32 = 48_000

    var info: PacketInfo {
      let format = PacketFormat(codec: .opus, sampleRate: SampleRate(rate), channels: 2)
      let count = frames - muted.head - muted.tail
      var info = PacketInfo(
        format: format, byteCount: 10, duration: StreamTime(frames: FrameCount(count), at: format.sampleRate),
        byteOffset: 0, followsGap: followsGap)
      (info.firstFrame, info.link) = (first, link)
      (info.mutedHead, info.mutedTail, info.isTrimmed) = (muted.head, muted.tail, muted.head + muted.tail > 0)
      return info
    }
  }

  /// The last packet has the frames 96,000 ..< 96,960 of link 5.
  static let cases: [(Number, LinkPosition.Relation)] = [
    (Number(first: 96_960), .next),
    (Number(first: 96_960, followsGap: true), .missing(.zero)),
    (Number(first: 96_961), .missing(StreamTime(frames: FrameCount(1), at: .opus))),
    (Number(first: 144_960), .missing(StreamTime(seconds: 1))),
    (Number(first: 96_000), .repeated(reachesEnd: true)),
    (Number(first: 95_999), .repeated(reachesEnd: false)),
    (Number(first: 0), .repeated(reachesEnd: false)),
    (Number(first: 0, muted: (312, 0)), .repeated(reachesEnd: false)),
    // The first Vorbis packet of a connection has no frames: it ends where the next packet starts.
    (Number(first: 96_960, frames: 0, followsGap: true), .repeated(reachesEnd: true)),
    (Number(first: 97_984, frames: 0, followsGap: true), .missing(StreamTime(frames: FrameCount(1_024), at: .opus))),
    // Packets that overlap the end, other streams and packets without a number prove nothing.
    (Number(first: 96_500), .unrelated),
    (Number(first: 96_960, link: 6), .unrelated),
    (Number(first: 96_960, link: nil), .unrelated),
    (Number(first: nil), .unrelated),
    (Number(first: 96_960, rate: 44_100), .unrelated),
    (Number(first: .max), .unrelated),
  ]

  @Test("A packet's number shows whether audio repeats or is missing", arguments: cases)
  func relation(number: Number, expected: LinkPosition.Relation) throws {
    let position = try #require(LinkPosition(after: Number(first: 96_000).info))
    #expect(position.relation(to: number.info) == expected)
  }

  @Test("A packet without a number or stream has no position")
  func unnumbered() {
    #expect(LinkPosition(after: Number(first: nil).info) == nil)
    #expect(LinkPosition(after: Number(first: 1, link: nil).info) == nil)
    #expect(LinkPosition(after: Number(first: .max).info) == nil)
  }
}

extension SampleRate {
  fileprivate static var opus: SampleRate { SampleRate(48_000) }
}
