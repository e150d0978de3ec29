import Framing
import SeededRandom
import Testing
import Units

/// The ads of a programme, by stream time (B4).
@Suite struct AdLogTests {
  private static func time(_ seconds: Double) -> StreamTime { StreamTime(seconds: seconds) }

  private static func begin(_ kind: AdBreak.Kind = .midroll, _ seconds: Double? = nil) -> AdMark {
    .begin(AdBreak(kind, length: seconds.map { time($0) }))
  }

  /// Seconds of the beginning and the end of each ad, heard from 0 s on in steps of 0.5 s.
  private static func heard(_ log: AdLog, until last: Double = 1_500) -> [[Double]] {
    var log = log
    var found: [[Double]] = []
    for step in 0...Int(last * 2) {
      let now = Double(step) / 2
      for change in log.removeChanges(at: time(now)) {
        if case .ended = change { found[found.count - 1].append(now) } else { found.append([now]) }
      }
    }
    return found
  }

  @Test("An ad ends after its length, with its mark, with a title, or after ten minutes")
  func ends() {
    var log = AdLog()
    log.add(Self.begin(.midroll, 30), at: Self.time(10))
    log.add(Self.begin(), at: Self.time(100))
    log.add(.end, at: Self.time(115))
    log.add(Self.begin(.spot), at: Self.time(200))
    log.addTitle(at: Self.time(220))
    log.add(Self.begin(), at: Self.time(300))
    #expect(Self.heard(log) == [[10, 40], [100, 115], [200, 220], [300, 900]])
  }

  @Test("Ads that follow each other are one break, and titles do not end a break of an HLS list")
  func breaks() {
    var log = AdLog()
    log.add(Self.begin(.midroll, 30), at: Self.time(10))
    log.add(Self.begin(.midroll, 15), at: Self.time(40))
    log.add(Self.begin(.cue, 60), at: Self.time(100))
    log.addTitle(at: Self.time(110))
    log.add(Self.begin(.cue), at: Self.time(120))
    log.add(Self.begin(.cue, 30), at: Self.time(130))
    #expect(Self.heard(log) == [[10, 55], [100, 160]])
  }

  @Test("A seek into an ad and out of the ad is reported, with the length since its beginning")
  func seeks() {
    var log = AdLog()
    let ad = AdBreak(.preroll, length: Self.time(30))
    log.add(.begin(ad), at: Self.time(10))
    #expect(log.removeChanges(at: Self.time(20)) == [.began(ad)] && log.current == ad)
    #expect(log.removeChanges(at: Self.time(25)).isEmpty && log.next(after: Self.time(25)) == Self.time(40))
    #expect(log.removeChanges(at: Self.time(70)) == [.ended(ad, after: Self.time(30))] && log.current == nil)
    #expect(log.removeChanges(at: Self.time(39)) == [.began(ad)])
    #expect(log.removeChanges(at: Self.time(5)) == [.ended(ad, after: .zero)])
    log.forget(from: Self.time(3))
    #expect(log.removeChanges(at: Self.time(20)).isEmpty && log.next(after: .zero) == nil)
  }

  @Test("Any order of marks keeps the log bounded, and each beginning has an end")
  func hostile() {
    var random = SeededGenerator(5)
    for _ in 0..<100 {
      var log = AdLog()
      for _ in 0..<200 {
        let moment = Self.time(Double.random(in: 0..<1_000, using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0: log.add(.end, at: moment)
        case 1: log.addTitle(at: moment)
        case 2: log.add(Self.begin(.cue), at: moment)
        default: log.add(Self.begin(.midroll, Double.random(in: -100..<4_000, using: &random)), at: moment)
        }
      }
      #expect(Self.heard(log, until: 6_000).allSatisfy { $0.count == 2 && $0[0] < $0[1] })
    }
  }
}
