import Alarms
import SeededRandom
import Units

/// A random morning: the troubles around an alarm, in seconds after two minutes before it.
public struct Morning: Sendable {
  /// A planted fault of the model, which the law must find.
  public enum Fault: CaseIterable, Sendable {
    /// The player ignores these orders.
    case play, tone, volume, takeCard, drop
    /// The file has the alarm as answered although it was not.
    case handled
  }

  /// The state of the station's audio.
  enum Audio: CaseIterable { case good, dead, silent, late }

  /// The moment of the alarm within the model, in seconds.
  static let due = 150
  /// The seconds of a morning.
  static let length = 900

  let seed: UInt64
  var fault: Fault?
  var audio = Audio.good
  /// Seconds in which each part is missing.
  var (noNetwork, noCard, noPower) = (0..<0, 0..<0, [Range<Int>]())
  var (isMutedAt, guestAt, noVolumeAt) = (Int.max, Int.max, Int.max)
  /// Seconds by which the clock is wrong until `clockSetAt`.
  var (clockError, clockSetAt) = (Int64(0), 0)
  var (snoozeAt, stopAt, replaceAt) = (Int.max, Int.max, Int.max)
  var isDiskFull = false
  var isStandby = false
  var volume = 30

  /// True without a trouble that could replace the station by the tone.
  var isPlain: Bool {
    audio == .good && noNetwork.isEmpty && noCard.isEmpty && noPower.isEmpty && clockError == 0 && noVolumeAt == .max
      && guestAt == .max
  }

  /// Creates the morning of a seed.
  public init(seed: UInt64, fault: Fault? = nil) {
    (self.seed, self.fault) = (seed, fault)
    var chance = SeededGenerator(seed)
    func moment() -> Int { Int.random(in: 0..<Self.length, using: &chance) }
    func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &chance) < percent }
    func span(_ longest: Int) -> Range<Int> {
      let start = moment()
      return start..<start + Int.random(in: 1...longest, using: &chance)
    }
    if happens(60) { audio = Audio.allCases.randomElement(using: &chance) ?? .good }
    if happens(30) { noNetwork = span(600) }
    if happens(20) { noCard = span(200) }
    if happens(30) { noPower = (0..<Int.random(in: 1...3, using: &chance)).map { _ in span(200) } }
    if happens(15) { isMutedAt = moment() }
    if happens(15) { noVolumeAt = moment() }
    if happens(15) { guestAt = moment() }
    if happens(20) {
      clockError = [-3_600 * 24 * 365 * 50, -3_600, -120, 120, 900].randomElement(using: &chance) ?? 0
      clockSetAt = Int.random(in: 0...Self.due, using: &chance)
    }
    if happens(10) { snoozeAt = moment() }
    if happens(10) { stopAt = moment() }
    if happens(5) { replaceAt = moment() }
    (isDiskFull, isStandby) = (happens(10), happens(50))
    volume = Int.random(in: 0...100, using: &chance)
  }
}
