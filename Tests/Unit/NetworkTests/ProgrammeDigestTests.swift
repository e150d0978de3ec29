import Testing
import Units

@testable import Network

/// The notices for a listener who joins a programme.
struct ProgrammeDigestTests {
  private static func title(_ text: String, at seconds: Double) -> NetNotice {
    .title(text: text, url: nil, at: StreamTime(seconds: seconds))
  }

  @Test("A listener who joins learns the source, the current title and later ones, in order")
  func notices() {
    var digest = ProgrammeDigest()
    let facts = StationFacts(url: "http://a/", name: "A", isLive: true, isSeekable: false)
    for (number, notice) in [
      NetNotice.connecting(url: "http://old/"), .connecting(url: "http://a/"), Self.title("1", at: 0),
      .connected(facts), Self.title("2", at: 5), Self.title("3", at: 9), .full,
    ].enumerated() {
      digest.record(notice)
      #expect(digest.notices(from: .zero).count == [1, 1, 2, 3, 4, 5, 5][number])
      #expect(digest.isConnected == (number >= 3), "without facts, a listener would wait for the station")
    }
    let source = [NetNotice.connecting(url: "http://a/"), .connected(facts)]
    #expect(digest.notices(from: StreamTime(seconds: 6)) == source + [Self.title("2", at: 5), Self.title("3", at: 9)])
    #expect(digest.notices(from: StreamTime(seconds: 9)) == source + [Self.title("3", at: 9)])
  }

  @Test("A lost connection is in doubt until audio is joined; a final fault or the last byte ends the programme")
  func state() {
    var digest = ProgrammeDigest()
    digest.record(.lost)
    #expect(digest.isInDoubt)
    digest.record(.stitched(Stitch(overlap: .zero, lost: .zero, isExact: true, isEstimated: false)))
    #expect(!digest.isInDoubt && !digest.isOver)
    let fault = PlaybackFault(.closed, url: "http://a/")
    digest.record(.fault(fault, isFinal: false))
    #expect(!digest.isOver)
    digest.record(.fault(fault, isFinal: true))
    #expect(digest.isOver)
    var feed = ProgrammeDigest()
    feed.record(.listed(FileList(url: "http://a/", title: nil, isFeed: true, items: [], referral: nil)))
    #expect(feed.isOver, "a podcast waits for a choice")
    var file = ProgrammeDigest()
    file.record(.complete)
    #expect(file.isOver)
  }

  @Test("A thousand titles cost the memory of sixteen")
  func bound() {
    var digest = ProgrammeDigest()
    for number in 0..<1_000 { digest.record(Self.title("\(number)", at: Double(number))) }
    #expect(digest.notices(from: .zero).count == 16)
  }
}
