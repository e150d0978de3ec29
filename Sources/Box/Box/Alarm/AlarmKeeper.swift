import Alarms
import Control
import Panel
import PanelWords
import RadioEngine
import Settings
import System
import Units

/// The alarms of the box: their list in the owner's file, the clock, and the reports. Control thread only.
final class AlarmKeeper {
  /// The reports of the last alarms, oldest first.
  private(set) var reports: [AlarmReport] = []
  private(set) var zone = ZoneRules.utc

  private let owner: any OwnerStore
  private let presets: PresetController
  private let player: AlarmPlayer
  private var clock: AlarmClock
  private var alarms: [Alarm]
  private var zoneName: String?
  /// The time of the last update.
  private var wall: Int64?
  private var lastUpdate = MonotonicTime.zero
  private var nextRepetition = MonotonicTime.zero
  /// The player of the last update with an alarm; nil if it no longer exists.
  private weak var lastRadio: PlayerController?
  private var hadRadio = false

  /// Maximum number of reports.
  private static let maxReports = 30
  /// Minimum time between two repetitions of a file.
  private static let minRepetition = Duration(seconds: 5)
  /// Minutes of a postponement without another wish.
  static let snoozeMinutes = 9

  /// `handled`: the value of the saved state.
  init(_ owner: any OwnerStore, _ presets: PresetController, _ settings: SettingsController, handled: Int64?) {
    (self.owner, self.presets) = (owner, presets)
    player = AlarmPlayer(presets, settings)
    alarms = owner.settings.alarms
    clock = AlarmClock(AlarmSchedule(alarms, in: .utc), handled: handled)
    setZone(settings.configuration.timezone)
    for problem in owner.settings.alarmProblems { log(.warning, problem.description) }
  }

  // MARK: State

  /// The alarms in the owner's order.
  var list: [Alarm] { alarms }
  /// The next occurrence; nil without one.
  var next: AlarmOccurrence? { clock.next }
  /// True while an alarm rings or is postponed.
  var isActive: Bool { clock.run != nil }
  /// True while an alarm rings.
  var isRinging: Bool { clock.run?.isSnoozing == false }
  /// The value for the saved state; nil without alarms.
  var handled: Int64? { alarms.isEmpty || clock.handled == .min ? nil : clock.handled }
  /// The alarm that rings or is postponed, with its report so far.
  var run: AlarmRun? { clock.run }

  /// Returns a sentence about a source that cannot be played; nil for a usable one.
  func problem(of source: String) -> String? { player.problem(of: source) }

  /// Returns the day on which an alarm rings next; nil if it does not.
  func nextDay(of place: Int) -> CalendarDay? { nextDay(of: alarms[place]) }

  /// Returns the day of the next moment at a time of day, in minutes; nil if the time is unknown.
  func nextDay(atMinute minute: Int) -> CalendarDay? {
    nextDay(of: Alarm(minute: minute, .weekly(.everyDay), source: ""))
  }

  private func nextDay(of alarm: Alarm) -> CalendarDay? {
    var alarm = alarm
    (alarm.isOn, alarm.skipped) = (true, nil)
    return wall.flatMap { AlarmSchedule([alarm], in: zone).next(after: $0) }?.day
  }

  func due(at now: MonotonicTime) -> MonotonicTime { clock.due(wall: wall, at: now) }

  // MARK: Changes

  /// Replaces the alarms in the owner's file.
  func change(_ alarms: [Alarm]) throws(ControlRefusal) {
    do throws(SettingsError) { try owner.change(.alarms(alarms), over: presets.catalog.base) } catch {
      throw ControlRefusal(.system, error.description)
    }
    reload()
  }

  /// Uses the zone of the settings, and the alarms of the owner's file.
  func use(_ configuration: Configuration) {
    setZone(configuration.timezone)
    reload()
  }

  private func reload() {
    guard alarms != owner.settings.alarms else { return }
    alarms = owner.settings.alarms
    use()
  }

  /// Sets the time zone; empty for the machine's own zone.
  private func setZone(_ name: String) {
    guard name != zoneName else { return }
    let isFirst = zoneName == nil
    zoneName = name
    let found = ZoneFiles.rules(of: name)
    zone = found.rules
    if let problem = found.problem { log(.warning, problem) }
    if isFirst { clock = AlarmClock(AlarmSchedule(alarms, in: zone), handled: clock.handled) } else { use() }
  }

  private func use() { orders += clock.use(AlarmSchedule(alarms, in: zone), wall: wall) }

  /// Orders that wait for the next update.
  private var orders: [AlarmAction] = []
  /// The newest notice for the display.
  private var notice: PanelNotice?

  // MARK: The listener

  /// Postpones the ringing alarm; false if none rings.
  func snooze(minutes: Int = snoozeMinutes) -> Bool {
    guard isRinging else { return false }
    orders += clock.snooze(for: Duration(seconds: Double(minutes) * 60), at: lastUpdate)
    notice = .alarmSnoozed(minutes: minutes)
    return true
  }

  /// Ends the alarm that rings or is postponed; false without one.
  func stop() -> Bool {
    guard isActive else { return false }
    orders += clock.stop()
    notice = .alarmStopped
    return true
  }

  /// Answers a ringing alarm by an action of a button; false if the action has its usual meaning. The actions of long
  /// presses end the alarm, those of short presses postpone it.
  func answers(_ input: PanelInput) -> Bool {
    guard isRinging, case .action(let action) = input else { return false }
    switch action {
    case .stop, .power, .mode, .menu: return stop()
    case .select, .playPause, .mute, .sleep, .display: return snooze()
    default: return false
    }
  }

  // MARK: Time

  /// Compares the time with the alarms, and carries out their orders. `confirmed`: seconds since 1970; nil if the clock
  /// is not set, and the last known time counts. Returns a notice for the display.
  func update(
    _ keeper: RadioKeeper, _ confirmed: Int64?, _ wall: WallTime, at now: MonotonicTime
  ) -> PanelNotice? {
    update(keeper.player, hasRadio: keeper.tuner != nil, wall: confirmed ?? wall.estimate(at: now), at: now)
    defer { notice = nil }
    return notice
  }

  func update(_ radio: PlayerController, hasRadio: Bool, wall: Int64?, at now: MonotonicTime) {
    (self.wall, lastUpdate) = (wall, now)
    if isActive {
      followRadio(radio)
      watchListener(radio)
    }
    let facts = isActive ? facts(radio, hasRadio: hasRadio) : AlarmFacts()
    let actions = orders + clock.update(facts, wall: wall, at: now)
    orders = []
    for action in actions { perform(action, radio) }
  }

  /// Ends the alarm if the listener has chosen other audio, or none.
  private func watchListener(_ radio: PlayerController) {
    if player.isReplaced(radio) { return orders += clock.replace() }
    if isRinging, radio.intent != .playing, hasPlayed, !radio.hasPlayedOut { orders += clock.stop() }
  }

  /// Repeats a file that has ended, and passes the tone to a new radio.
  private func followRadio(_ radio: PlayerController) {
    if hadRadio, radio !== lastRadio {
      player.adopt(radio)
      if clock.run?.hasTone == true { radio.playAlarmTone(true) }
    }
    (lastRadio, hadRadio) = (radio, true)
    guard isRinging, let run, radio.hasPlayedOut, radio.failure == nil, lastUpdate >= nextRepetition else { return }
    nextRepetition = lastUpdate + Self.minRepetition
    orders.append(.retry(run.occurrence))
  }

  /// True once the player has received the alarm's order.
  private var hasPlayed = false

  private func facts(_ radio: PlayerController, hasRadio: Bool) -> AlarmFacts {
    var facts = AlarmFacts()
    facts.hasCard = hasRadio && radio.hasDevice
    facts.isLoud = radio.volume.percent > 0 && !radio.volume.isMuted
    facts.hasProgramme = radio.isAudible
    facts.problem = radio.trouble
    if facts.hasProgramme {
      let levels = radio.meter.levels
      facts.level = max(levels.left.average, levels.right.average).value
      facts.source = radio.fallback.fallbackName ?? radio.current?.name
    }
    return facts
  }

  private func perform(_ action: AlarmAction, _ radio: PlayerController) {
    switch action {
    case .prepare(let occurrence): player.prepare(clock.alarm(of: occurrence)?.source, radio)
    case .cancel: player.prepare(nil, radio)
    case .play(let occurrence, let volume):
      let time = Self.text(occurrence.moment, zone)
      log(.notice, "The alarm of \(time) rings.")
      notice = .alarm(time: String(time.suffix(5)))
      player.play(clock.alarm(of: occurrence)?.source ?? "", volume: volume, radio)
      hasPlayed = radio.intent == .playing
    case .retry(let occurrence):
      player.play(clock.alarm(of: occurrence)?.source ?? "", volume: nil, radio)
      hasPlayed = radio.intent == .playing
    case .volume(let percent): radio.volume.turn(to: percent)
    case .takeCard: radio.device.endAllLeases()
    case .tone(let isOn): radio.playAlarmTone(isOn)
    case .drop: radio.dropProgramme()
    case .pause:
      hasPlayed = false
      player.pause(radio)
    case .silence(let isExpired): player.silence(radio, isExpired: isExpired)
    case .report(let report):
      hasPlayed = false
      // A later alarm returns to the state before the first.
      if report.end != .overtaken { player.end() }
      record(report)
    }
  }

  private func record(_ report: AlarmReport) {
    reports = Array((reports + [report]).suffix(Self.maxReports))
    log(report.end == .missed || report.silentSeconds == nil ? .warning : .notice, report.sentence(in: zone))
  }

  /// Returns a moment as local time, such as "2026-12-24 06:30".
  static func text(_ moment: Int64, _ zone: ZoneRules) -> String {
    let local = zone.local(at: moment)
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    return "\(local.day.iso) \(two(local.hour)):\(two(local.minute))"
  }
}
