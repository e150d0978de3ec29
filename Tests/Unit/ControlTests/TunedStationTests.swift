import Testing

@testable import Control
@testable import PlayerSupport
@testable import RadioEngine

/// The state of the station in the radio's latest events.
@Suite struct TunedStationTests {
  private let radio = FakeRadio()

  /// A station with all facts set.
  private func tuned() -> TunedStation {
    var station = TunedStation()
    station.begin(3)
    _ = station.follow(4)
    station.playOut()
    for event in [Event.timeoutExceeded(url: "", message: "It is silent."), .stopped(.error)] {
      station.handle(event, radio)
    }
    return station
  }

  @Test("Another station has no facts of the previous one")
  func begins() {
    var station = tuned()
    #expect(station.failure == "It is silent." && station.hasPlayedOut && station.followerID == 4)
    station.begin(5)
    let ending = station.removeEnding()
    #expect(station.id == 5 && station.failure == nil && !station.hasPlayedOut && station.followerID == nil)
    #expect(ending == nil)
  }

  @Test("A list's item retains the follower, and the follower drops the failure")
  func goesOn() {
    var station = tuned()
    station.beginItem()
    let ending = station.removeEnding()
    #expect(station.id == 3 && station.followerID == 4 && station.failure == nil && !station.hasPlayedOut)
    #expect(ending == nil)
    station = tuned()
    station.goOver(to: 4)
    #expect(station.id == 4 && station.followerID == nil && station.failure == nil && station.info == nil)
  }

  @Test(
    "Only an end without an order is continued, once",
    arguments: [(.end, true), (.error, true), (.user, false), (.timeout, false), (.interruption, false)]
      as [(Event.StopReason, Bool)])
  func endings(_ reason: Event.StopReason, _ goesOn: Bool) {
    var station = tuned()
    station.handle(.stopped(reason), radio)
    let endings = [station.removeEnding(), station.removeEnding()]
    #expect(endings == [goesOn ? reason : nil, nil])
    station.handle(.stopped(reason), radio)
    station.stop()
    let stopped = station.removeEnding()
    #expect(stopped == nil)
  }

  @Test("The radio gets only a changed follower")
  func follows() {
    var station = tuned()
    let isNew = [4, 4, nil, nil, 6].map { station.follow($0) }
    #expect(isNew == [false, false, true, false, true])
  }
}
