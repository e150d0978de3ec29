import Units

/// The report of an alarm (K4).
public struct AlarmReport: Equatable, Sendable {
  /// The end of an alarm.
  public enum End: String, Equatable, Sendable {
    /// The listener stopped it.
    case stopped
    /// The listener chose other audio.
    case replaced
    /// The duration was over.
    case expired
    /// The power was off at its time, and more than half an hour passed.
    case missed
    /// A later alarm began.
    case overtaken
  }

  /// The alarm's name: its source.
  public var source: String
  /// The planned moment, in seconds since 1970.
  public var due: Int64
  /// Seconds by which the alarm began late, such as after a power cut.
  var lateSeconds = 0
  /// Seconds from the beginning to the first audible sound; nil without one.
  public var silentSeconds: Int?
  /// Seconds of audible sound of a programme.
  public var soundSeconds = 0
  /// Seconds for which the tone replaced a programme.
  public var toneSeconds = 0
  /// Number of times that the listener postponed the alarm.
  public var snoozeCount = 0
  /// The highest level of the programme, in dBFS; nil without sound.
  public var level: Double?
  /// The names of the sources that were heard, in order.
  public var heard: [String] = []
  /// The first problem as a sentence; nil without one.
  public var problem: String?
  /// The end; nil while the alarm rings.
  public var end: End?

  /// Creates the report of an alarm that begins. `due`: seconds since 1970.
  init(source: String, due: Int64) { (self.source, self.due) = (source, due) }
}
