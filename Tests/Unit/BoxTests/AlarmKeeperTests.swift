import Alarms
import Metering
import RadioEngine
import Settings
import Testing
import Units

@testable import Box
@testable import Control
@testable import PlayerSupport

/// The alarms of a box with a player.
@Suite struct AlarmKeeperTests {
  private let radio = FakeRadio()
  private let owner = FakeOwner()
  private let player: PlayerController
  private let keeper: AlarmKeeper
  private static let due = CalendarDay(2027, 3, 17).seconds + 6 * 3_600

  init() throws {
    var configuration = Configuration()
    configuration.timezone = "Etc/UTC"
    let presets = PresetController(["One", "Two"], owner)
    player = PlayerController(radio)
    player.volume.connect { _, _ in }
    player.setPresets(PresetList(presets.catalog.presets))
    player.fill(with: presets.catalog.presets)
    var alarm = Alarm(minute: 360, .weekly(.everyDay), source: "Two")
    (alarm.volume, alarm.riseSeconds, alarm.minutes) = (50, 0, 2)
    try owner.change(.alarms([alarm]), over: [])
    keeper = AlarmKeeper(owner, presets, SettingsController(configuration, owner), handled: Self.due - 60)
  }

  /// Updates the keeper in each second of a range after the alarm.
  private func run(_ seconds: Range<Int>, _ player: PlayerController? = nil) {
    for second in seconds {
      let now = MonotonicTime.zero + Duration(seconds: Double(1_000 + second))
      keeper.update(player ?? self.player, hasRadio: true, wall: Self.due + Int64(second), at: now)
      radio.time = Double(1_000 + second)
      (player ?? self.player).settle()
    }
  }

  private func sound(_ isOn: Bool) {
    (radio.state, radio.isAudioPlaying) = isOn ? (.playing, true) : (.connecting, false)
    var level = Level()
    if isOn { level.average = Decibels(-20) }
    radio.levels = (level, level)
  }

  @Test("An alarm plays its station out of standby at its volume, and an answer leads back to standby")
  func standby() {
    player.enterStandby()
    player.volume.turn(to: 7)
    run(-3..<0)
    _ = radio.newCommands
    run(0..<1)
    #expect(radio.newCommands.contains("tune two.example") && player.intent == .playing)
    #expect(player.volume.percent == 50)
    sound(true)
    run(1..<20)
    #expect(keeper.run?.isProven == true && keeper.stop())
    run(20..<21)
    #expect(player.intent == .standby && player.volume.percent == 7 && keeper.reports.last?.end == .stopped)
  }

  @Test("The station is received from two minutes before the alarm until it is heard, instead of the neighbours")
  func advance() {
    var policy = PlayerPolicy()
    policy.prefetchCount = 1
    player.adopt(policy)
    player.play(0)
    run(-130..<(-121))
    _ = radio.newCommands
    run(-121..<(-118))
    #expect(radio.newCommands == ["prefetch  for two.example"])
    run(-118..<1)
    sound(true)
    #expect(!radio.newCommands.contains { $0.hasPrefix("prefetch") })
    run(1..<3)
    #expect(radio.newCommands.filter { $0.hasPrefix("prefetch") }.first == "prefetch ")
  }

  @Test("A radio that played before an unanswered alarm plays on after it")
  func expired() {
    player.play(0)
    run(-3..<1)
    sound(true)
    run(1..<130)
    #expect(keeper.reports.last?.end == .expired && player.intent == .playing && !keeper.isActive)
  }

  @Test("The choice of another station ends an alarm, as does a stop")
  func answers() {
    run(-3..<1)
    sound(true)
    run(1..<5)
    player.play(0)
    run(5..<6)
    #expect(keeper.reports.last?.end == .replaced && player.intent == .playing)
    let other = Self.due + 86_400
    keeper.update(player, hasRadio: true, wall: other, at: .zero + Duration(seconds: 90_000))
    player.settle()
    player.stop()
    keeper.update(player, hasRadio: true, wall: other + 1, at: .zero + Duration(seconds: 90_001))
    #expect(keeper.reports.last?.end == .stopped && player.intent == .stopped)
  }

  @Test("A new radio after a lost card receives the tone")
  func newRadio() {
    run(-3..<25)
    #expect(radio.newCommands.contains("alarm tone true"))
    let other = PlayerController(radio)
    run(25..<26, other)
    #expect(radio.newCommands.contains("alarm tone true"))
  }

  @Test("A file that ends is repeated while its alarm rings")
  func file() {
    run(-3..<1)
    sound(true)
    run(1..<4)
    _ = radio.newCommands
    radio.state = .stopped
    player.handle(.stopped(.end))
    player.settle()
    #expect(player.hasPlayedOut || radio.newCommands.contains("tune two.example"))
    run(4..<12)
    #expect(radio.newCommands.contains("tune two.example") && keeper.isActive)
  }

  @Test("Buttons answer a ringing alarm, and have their usual meaning otherwise")
  func buttons() {
    #expect(!keeper.answers(.action(.select)))
    run(-3..<1)
    #expect(!keeper.answers(.action(.volumeUp)) && !keeper.answers(.turn(1)))
    #expect(keeper.answers(.action(.select)))
    run(1..<3)
    #expect(keeper.run?.isSnoozing == true && player.intent == .stopped && !keeper.answers(.action(.select)))
    run(3..<545)
    #expect(keeper.isRinging && keeper.answers(.action(.power)))
    run(545..<546)
    #expect(!keeper.isActive)
  }
}
