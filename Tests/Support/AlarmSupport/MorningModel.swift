import Alarms
import Units

/// Runs the alarms of a box through a morning, with models of clock, network, card, disk, player and owner.
public struct MorningModel {
  private let morning: Morning
  /// The true time of the alarm, in seconds since 1970.
  private static let moment = CalendarDay(2027, 3, 17).seconds + 6 * 3_600 + 1_800
  private static let alarm: Alarm = {
    var alarm = Alarm(minute: 390, .weekly(.everyDay), source: "station")
    (alarm.volume, alarm.minutes) = (40, 10)
    return alarm
  }()

  // The box while it has power.
  private var clock: AlarmClock?
  private var bootedAt = 0
  private var (isPlaying, playedAt) = (false, 0)
  private var (hasTone, isMuted, hasGuest) = (false, false, false)
  private var volume: Int
  // The disk.
  private var saved: Int64?
  /// Orders of the listener that end the duty to ring.
  private var isAnswered = false
  /// Seconds in which the alarm should have been audible, and was not.
  private var silence = 0
  private var wasMissed = false

  /// The longest silence that the law allows, in seconds.
  static let maxSilence = 60

  /// Creates the model of a morning.
  public init(_ morning: Morning) {
    (self.morning, volume) = (morning, morning.volume)
    saved = Self.moment - 86_400
  }

  /// Returns a sentence if the alarm was silent for longer than a minute with power, card and time; otherwise nil.
  public static func violation(of morning: Morning) -> String? {
    var model = MorningModel(morning)
    for second in 0..<Morning.length {
      model.step(second)
      if model.silence > maxSilence { return "seed \(morning.seed): silent until second \(second): \(morning)" }
      if second == Morning.due + 45, morning.isPlain, !model.isAnswered {
        guard model.level(second) != nil else { return "seed \(morning.seed): no station: \(morning)" }
        guard model.volume == alarm.volume else { return "seed \(morning.seed): volume \(model.volume): \(morning)" }
      }
    }
    return nil
  }

  private func time(_ second: Int) -> Int64 { Self.moment + Int64(second - Morning.due) }

  /// The time on the box's clock.
  private func wall(_ second: Int) -> Int64 {
    time(second) + (second < morning.clockSetAt ? morning.clockError : 0)
  }

  private mutating func step(_ second: Int) {
    let now = MonotonicTime.zero + Duration(seconds: Double(second - bootedAt))
    guard !morning.noPower.contains(where: { $0.contains(second) }) else { return cutPower(at: second) }
    if clock == nil { boot(at: second) }
    let hasCard = !morning.noCard.contains(second)
    act(second, at: now)
    let level = level(second)
    var facts = AlarmFacts()
    facts.hasCard = hasCard && !hasGuest
    facts.isLoud = volume > 0 && !isMuted
    facts.hasProgramme = level != nil && facts.hasCard
    facts.level = facts.hasProgramme ? level : nil
    let wall = wall(second)
    let actions = clock?.update(facts, wall: wall, at: now) ?? []
    for action in actions { perform(action, second) }
    if let clock, !morning.isDiskFull { saved = clock.handled }
    if morning.fault == .handled, second == Morning.due - 1 { saved = Self.moment }
    judge(second, hasCard: hasCard, level: level)
  }

  private mutating func cutPower(at second: Int) {
    clock = nil
    (isPlaying, hasTone, isMuted) = (false, false, false)
    (hasGuest, bootedAt) = (false, second + 1)
  }

  private mutating func boot(at second: Int) {
    bootedAt = second
    clock = AlarmClock(AlarmSchedule([Self.alarm], in: .utc), handled: saved)
    if morning.fault == .handled, second > Morning.due { isAnswered = false }
    (isPlaying, playedAt) = (!morning.isStandby, second)
  }

  /// The owner and other programs act.
  private mutating func act(_ second: Int, at now: MonotonicTime) {
    if second == morning.isMutedAt { isMuted = true }
    if second == morning.noVolumeAt { volume = 0 }
    if second == morning.guestAt { hasGuest = true }
    guard clock?.run != nil else { return }
    var actions: [AlarmAction] = []
    if second == morning.snoozeAt { actions = clock?.snooze(for: Duration(seconds: 540), at: now) ?? [] }
    if second == morning.stopAt { actions = clock?.stop() ?? [] }
    if second == morning.replaceAt { actions = clock?.replace() ?? [] }
    if !actions.isEmpty { isAnswered = true }
    for action in actions { perform(action, second) }
  }

  private mutating func perform(_ action: AlarmAction, _ second: Int) {
    switch action {
    case .play(_, let volume):
      guard morning.fault != .play else { break }
      (isPlaying, playedAt, hasGuest, isMuted) = (true, second, false, false)
      if morning.fault != .volume { self.volume = volume }
    case .retry: (isPlaying, playedAt) = (true, second)
    case .volume(let percent): if morning.fault != .volume { (volume, isMuted) = (percent, false) }
    case .takeCard: if morning.fault != .takeCard { hasGuest = false }
    case .tone(let isOn): hasTone = isOn && morning.fault != .tone
    case .drop: if morning.fault != .drop { isPlaying = false }
    case .pause, .silence: isPlaying = false
    case .report(let report):
      isAnswered = true
      wasMissed = report.end == .missed
    case .prepare, .cancel: break
    }
  }

  /// The level of the programme at the sink; nil without a programme.
  private func level(_ second: Int) -> Double? {
    guard isPlaying, !morning.noNetwork.contains(second), second >= playedAt + 3 else { return nil }
    switch morning.audio {
    case .good: return -20
    case .dead: return nil
    case .silent: return -90
    case .late: return second >= playedAt + 40 ? -20 : nil
    }
  }

  /// Counts the silence while the alarm must ring.
  private mutating func judge(_ second: Int, hasCard: Bool, level: Double?) {
    guard time(second) >= Self.moment, !isAnswered, hasCard else { return }
    let isHeard = level.map { $0 > -50 && volume > 0 && !isMuted && !hasGuest } ?? (hasTone && !hasGuest)
    silence = isHeard ? 0 : silence + 1
  }
}
