import Panel
import PanelWords
import Testing

/// Fault texts in each language.
@Suite struct FaultTextTests {
  static let faults: [PanelFault] = [
    .noNetwork, .serverGone(attempt: 0, nextTry: nil), .serverGone(attempt: .max, nextTry: 30),
    .serverGone(attempt: 999, nextTry: .max), .stationNotFound(nextTry: nil), .stationNotFound(nextTry: 3000),
    .refused(code: 503, nextTry: 60), .refused(code: .min, nextTry: .min), .notAudio, .notPlayable(kind: "HLS"),
    .notPlayable(kind: "MPEG-DASH and more"), .badAddress, .noStations, .soundCardMissing, .soundCardBusy,
    .pipeUnread, .outputFailed, .waitingForClock, .badCertificate, .serverDown(attempt: .max, nextTry: .max),
    .noAnswer(attempt: 2, nextTry: 3), .noData(attempt: 2, nextTry: 3), .noNameServer(attempt: 2, nextTry: 3),
    .proxyFailed(attempt: 2, nextTry: 3), .passwordNeeded, .serverBusy(code: 503, nextTry: 60),
    .serverBusy(code: 500, nextTry: 60), .badPlaylist, .badAnswer, .webPage, .noSecureConnection, .fileUnreadable,
    .fileChanged, .snapserverGone, .snapserverStrange, .snapclientGone, .internalFault,
  ]

  @Test("Each fault has specific words (N5)", arguments: Language.allCases, ScreenTests.sizes)
  func faults(_ language: Language, _ size: (Int, Int)) {
    var seen: Set<[String]> = []
    for fault in Self.faults {
      var hand = Hand(
        size.0, size.1,
        .playing {
          $0.fault = fault; $0.held = 0
        }, language)
      seen.insert(hand.picture().rows)
    }
    #expect(seen.count == Self.faults.count)
  }

  static let holds: [(held: Double, wide: String, narrow: String)] = [
    (41, "41 s left in buffer", "41 s in buffer"), (761, "12:41 left in buffer", "12:41 in buffer"),
    (3761, "1:02:41 in buffer", "1:02:41 left"), (.infinity, "99:59:59 in buffer", "99:59:59 left"),
  ]

  @Test("A fault shows the remaining buffer", arguments: ScreenTests.sizes, holds)
  func buffer(_ size: (Int, Int), _ example: (held: Double, wide: String, narrow: String)) {
    var hand = Hand(
      size.0, size.1,
      .playing {
        $0.fault = .soundCardBusy; $0.held = example.held
      })
    _ = hand.picture()
    hand.wait(3000)
    #expect(hand.picture().rows.last == (size.0 == 20 ? example.wide : example.narrow))
    for held in [0, Double.nan] {
      hand.view.held = held
      #expect(!hand.picture().rows.joined().contains("buffer"))
    }
  }
}
