import Control
import Panel
import PanelWords
import Testing
import Units

@testable import Box
@testable import Network
@testable import RadioEngine

/// Station faults on the display and in the log, and the time of the next try.
@Suite struct StationWatchTests {
  private static let fault = PlaybackFault(.error(.connectTimeout), url: "http://one/")

  private static let line =
    "One: http://one/ does not answer; check the address, or wait until the station is back."

  private static let attempt = StationRetry.Attempt(id: 3, isPaused: true)
  private static let one = StationWatch.Subject(station: "One", attempt: attempt)
  private static let lost = StationWatch.Subject(station: "One", attempt: attempt, isSinkLost: true)

  private static func seen(
    _ networkChanges: UInt32 = 0, _ intent: PlaybackIntent = .playing
  ) -> StationWatch.Counters {
    StationWatch.Counters(networkChanges: networkChanges, intent: intent)
  }

  @Test("A given-up station is reported once, counted down, and retried after a minute")
  func givenUp() {
    var watch = StationWatch()
    watch.recordTuning(isOther: true)
    let line = watch.process(.stopped(.error), Self.fault, of: Self.one, at: at(0))
    #expect(line == LogLine(level: .warning, text: Self.line))
    #expect(watch.due == at(60) && watch.fault(at: at(10)) == .noAnswer(attempt: 1, nextTry: 50))
    #expect(watch.removeDueRetry(isClockSet: false, nil, at: at(59)) == nil)
    let attempt = watch.removeDueRetry(isClockSet: false, Self.seen(), at: at(60))
    #expect(attempt == Self.attempt && watch.due == .never)
    watch.recordTuning(isOther: false)
    #expect(watch.process(.stopped(.error), Self.fault, of: Self.one, at: at(61)) == nil)
    let event = Event.playing(station: nil, latency: 0, behindLive: nil)
    let back = watch.process(event, nil, of: Self.one, at: at(90))
    #expect(back == LogLine(level: .notice, text: "One is back after 90 s."))
    #expect(watch.fault(at: at(90)) == nil)
  }

  @Test("A failed sink does not retry the station")
  func sinkLost() {
    var watch = StationWatch()
    _ = watch.process(.stopped(.error), nil, of: Self.lost, at: at(0))
    #expect(watch.due == .never)
  }

  @Test("Another station, standby and a stop clear the retry", arguments: ["begin", "standby", "stop"])
  func forgets(_ what: String) {
    var watch = StationWatch()
    _ = watch.process(.stopped(.error), Self.fault, of: Self.one, at: at(0))
    switch what {
    case "begin": watch.recordTuning(isOther: true)
    case "standby": #expect(watch.removeDueRetry(isClockSet: false, Self.seen(0, .standby), at: at(60)) == nil)
    default: _ = watch.process(.stopped(.user), nil, of: Self.one, at: at(1))
    }
    #expect(watch.due == .never)
    #expect(watch.fault(at: at(2)) == nil)
  }

  @Test("A set clock retries at once, another network within a second")
  func hurries() {
    var watch = StationWatch()
    for isClock in [true, false] {
      _ = watch.process(.stopped(.error), Self.fault, of: Self.one, at: at(0))
      let attempt = watch.removeDueRetry(isClockSet: isClock, Self.seen(isClock ? 0 : 7), at: at(5))
      #expect((attempt != nil) == isClock)
    }
    #expect(watch.due == at(6) && watch.fault(at: at(5)) == .noAnswer(attempt: 1, nextTry: 1))
  }

  @Test("An order for silence ends the retries and their reports")
  func stops() {
    var watch = StationWatch()
    _ = watch.process(.stopped(.error), Self.fault, of: Self.one, at: at(0))
    #expect(watch.removeDueRetry(isClockSet: false, Self.seen(0, .stopped), at: at(1)) == nil)
    #expect(watch.due == .never && watch.fault(at: at(1)) == nil)
    var absent = Self.one
    absent.attempt = nil
    _ = watch.process(.stopped(.error), Self.fault, of: absent, at: at(2))
    #expect(watch.due == .never)
  }

  @Test("The audio of a fallback is not the station's recovery")
  func replaced() {
    var watch = StationWatch()
    var subject = Self.one
    let playing = Event.playing(station: "B", latency: 0, behindLive: nil)
    #expect(watch.process(.noNetwork(url: "", message: ""), Self.fault, of: subject, at: at(0)) != nil)
    subject.isReplaced = true
    #expect(watch.process(playing, nil, of: subject, at: at(5)) == nil)
    subject.isReplaced = false
    #expect(watch.process(playing, nil, of: subject, at: at(9)) != nil)
  }

  @Test("The log contains a card's loss and return, and rescued audio")
  func journal() {
    let sources = PlayerController(AbsentRadio()).fallback
    let lost = Event.deviceLost(device: "card", message: "It is gone.")
    #expect(EventJournal.line(lost, isDeviceMissing: true, sources) == LogLine(level: .warning, text: "It is gone."))
    #expect(EventJournal.line(lost, isDeviceMissing: false, sources) == nil)
    let back = Event.deviceBack(device: "card", message: "It is back.")
    #expect(EventJournal.line(back, isDeviceMissing: false, sources) == LogLine(level: .notice, text: "It is back."))
    #expect(EventJournal.line(.suspended, isDeviceMissing: false, sources) == nil)
  }
}
