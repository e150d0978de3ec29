import Control
import Foundation
import Http
import Network
import Panel
import PanelWords
import TestSupport
import Testing
import Units

@testable import Box
@testable import RadioEngine

/// Texts of faults on the display and in the log.
@Suite struct FaultTests {
  private static let start = MonotonicTime(milliseconds: 1_000_000)

  private static func fault(_ detail: PlaybackFault.Detail, status: Int = 0) -> PlaybackFault {
    PlaybackFault(detail, url: "http://radio.example/", status: status)
  }

  private static func refusal(_ status: Int) -> PlaybackFault { fault(.refused(hasCredentials: false), status: status) }

  /// One fault for each cause.
  private static let all: [PlaybackFault] =
    [401, 403, 404, 503].map { refusal($0) } + details.map { fault($0) } + errors.map { fault(.error($0)) }

  private static let details: [PlaybackFault.Detail] = [
    .silence(seconds: 3), .closed, .noAudio, .slowList, .emptyList, .fileChanged, .notPlayed(.html),
    .notPlayed(.encryptedHls), .notPlayed(.xheAac), .notPlayed(.dolby), .notPlayed(.otherCodec), .notPlayed(.dash),
    .notPlayed(.m4a), .notPlayed(.alac), .notPlayed(.musepack), .notPlayed(.dsd), .fewBlocks(needed: 400),
    .notPlayed(.wma), .notPlayed(.wav), .notPlayed(.webm),
  ]

  private static let errors: [NetworkError] = [
    .noNetwork, .hostNotFound, .nameServer, .refused, .connectTimeout, .proxyFailed, .tls(.notYetValid),
    .tls(.expired), .tls(.handshake), .badURL, .badScheme("rtsp"), .badAnswer, .localFile(errno: 2), .outOfMemory,
  ]

  private static let line = "One: The station closed the connection."

  private static func seconds(_ count: Double) -> MonotonicTime { start + Duration(seconds: count) }

  private static func watch(_ fault: PlaybackFault) -> FaultWatch {
    var watch = FaultWatch()
    watch.process(.connecting(url: ""), fault, at: start)
    return watch
  }

  @Test("Every fault has a text on the display")
  func everyFault() {
    for fault in Self.all { #expect(Self.watch(fault).fault(at: Self.start) != nil, "\(fault)") }
    #expect(Set(Self.all.map(\.cause)) == Set(PlaybackFault.Cause.allCases))
    #expect(FaultWatch().fault(at: Self.start) == nil)
  }

  @Test("The web panel has every fault in the display's words", arguments: [Language.english, .german])
  func everyFaultOnThePage(_ language: Language) throws {
    struct Words: Decodable { let faults: [String: String] }
    let text = TestSupport.Repository.text("config/web/text/\(language.rawValue).json")
    let page = try JSONDecoder().decode(Words.self, from: Data(text.utf8)).faults
    let other = try #require(page["notPlayable"]).replacing("{kind}", with: "")
    for fault in Self.all {
      let display = try #require(Self.watch(fault).fault(at: Self.start))
      // The page shows the cause without the server's status.
      if case .serverBusy = display { continue }
      let shown = display.words(in: language)
      // The display adds the server's status.
      let told = page[fault.cause.rawValue].map { shown == $0 || shown.hasPrefix("\($0) (") } ?? shown.hasSuffix(other)
      #expect(told, "\(fault.cause): \(shown)")
    }
  }

  @Test("The web panel has words for each reason (F7)", arguments: ["en", "de"])
  func page(_ language: String) throws {
    struct Words: Decodable {
      struct Source: Decodable { let why: [String: String] }
      let source: Source
    }
    let text = TestSupport.Repository.text("config/web/text/\(language).json")
    let words = try JSONDecoder().decode(Words.self, from: Data(text.utf8)).source.why
    let reasons: [SourceReason] = [
      .choice, .noAudio(seconds: 1, nil), .fault(nil), .quiet(seconds: 1), .loop(seconds: 1),
      .slowLine(LowerRate(from: "128 kbit/s", to: "64 kbit/s")), .ad,
    ]
    #expect(Set(words.keys) == Set(reasons.map(\.word)))
  }

  @Test("A status code is shown if the server sent one")
  func status() {
    #expect(Self.watch(Self.refusal(403)).fault(at: Self.start) == .refused(code: 403, nextTry: nil))
    #expect(Self.watch(Self.refusal(503)).fault(at: Self.start) == .serverBusy(code: 503, nextTry: nil))
  }

  @Test("The next attempt counts down in whole seconds to zero")
  func countdown() {
    var watch = Self.watch(Self.fault(.closed))
    watch.process(.reconnecting(attempt: 3, delay: 2, reason: "", held: 0), Self.fault(.closed), at: Self.start)
    for (moment, left) in [(0.0, 2), (0.5, 2), (1.0, 1), (2.0, 0), (9.0, 0)] {
      #expect(watch.fault(at: Self.seconds(moment)) == .serverGone(attempt: 3, nextTry: left), "\(moment)")
    }
    watch.awaitRetry(until: Self.seconds(60))
    #expect(watch.fault(at: Self.start) == .serverGone(attempt: 3, nextTry: 60))
  }

  @Test(
    "Signs of a working station end a fault, unless it is reported again",
    arguments: [
      (.playing(station: nil, latency: 0, behindLive: nil), true),
      (.stitched(overlap: 0, lost: 0, exact: true, estimated: false), true), (.buffering(held: 0, target: 1), true),
      (.stopped(.user), true), (.stopped(.end), true), (.stopped(.error), false), (.connecting(url: ""), false),
      (.suspended, false), (.underrun(held: 0, count: 1), false),
    ] as [(Event, Bool)])
  func ends(_ event: Event, _ ends: Bool) {
    var watch = Self.watch(Self.refusal(404))
    watch.process(event, nil, at: Self.start)
    #expect((watch.fault(at: Self.start) == nil) == ends)
    watch = Self.watch(Self.refusal(404))
    watch.process(event, Self.fault(.error(.noNetwork)), at: Self.start)
    #expect(watch.fault(at: Self.start) == .noNetwork)
    watch.clear()
    #expect(watch.fault(at: Self.start) == nil)
  }

  // MARK: The log

  @Test("The log contains each fault of a station once, and its duration")
  func journal() {
    var journal = FaultJournal()
    #expect(journal.recordRecovery("One", at: Self.start) == nil)
    #expect(journal.recordFault(Self.fault(.closed), of: "One", at: Self.start) == Self.line)
    #expect(journal.recordFault(Self.fault(.closed), of: "One", at: Self.seconds(5)) == nil)
    #expect(journal.recordFault(Self.fault(.error(.noNetwork)), of: "One", at: Self.seconds(6)) != nil)
    #expect(journal.recordRecovery("One", at: Self.seconds(61.5)) == "One is back after 62 s.")
    #expect(journal.recordRecovery("One", at: Self.seconds(70)) == nil)
    #expect(journal.recordFault(Self.fault(.closed), of: "One", at: Self.seconds(80)) != nil)
    journal.clear()
    #expect(journal.recordRecovery("Two", at: Self.seconds(90)) == nil)
  }

  @Test(
    "The log names the setting that remedies a fault",
    arguments: [
      (PlaybackFault(.refused(hasCredentials: false), url: "http://a/", status: 401), "user in stations.toml."),
      (PlaybackFault(.fewBlocks(needed: 90), url: "http://a/"), "[buffer] blocks in bakelite.toml."),
    ])
  func setting(_ fault: PlaybackFault, _ setting: String) {
    var journal = FaultJournal()
    #expect(journal.recordFault(fault, of: "One", at: Self.start)?.hasSuffix("It is \(setting)") == true)
  }
}

@Suite struct WatchdogTests {
  @Test("A thread stalled for ten seconds is reported, until all have made progress")
  func standing() {
    var watchdog = Watchdog()
    func beats(_ net: UInt32, _ decode: UInt32, _ render: UInt32) -> Heartbeats {
      Heartbeats(net: net, decode: decode, render: render)
    }
    #expect(watchdog.isAlive(beats(1, 1, 1), at: at(0)) == true)
    #expect(watchdog.isAlive(beats(1, 1, 1), at: at(9.9)) == true, "nothing is judged before ten seconds")
    #expect(watchdog.isAlive(beats(2, 2, 2), at: at(10)) == true)
    #expect(watchdog.isAlive(beats(3, 2, 3), at: at(20)) == false, "the decode thread stands")
    #expect(watchdog.isAlive(beats(4, 3, 4), at: at(25)) == false, "until the next look")
    #expect(watchdog.isAlive(beats(4, 3, 4), at: at(30)) == true)
    #expect(watchdog.isAlive(nil, at: at(31)) == true, "where there is no radio, nothing stands")
    #expect(watchdog.isAlive(beats(4, 3, 4), at: at(50)) == true, "another radio is looked at anew")
  }
}
