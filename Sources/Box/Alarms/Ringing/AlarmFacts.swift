import Units

/// The facts that an alarm needs, at a moment.
public struct AlarmFacts: Equatable, Sendable {
  /// The level of the programme that the sink received last, in dBFS; nil while no programme is audible.
  public var level: Double?
  /// True if the volume is above zero and not muted.
  public var isLoud = true
  /// True if the sound card exists, and no other program uses it.
  public var hasCard = true
  /// True while programme audio is rendered, of any level: the tone is then silent.
  public var hasProgramme = false
  /// The name of the audible source; nil without one.
  public var source: String?
  /// A sentence about the current problem of the station or of the card; nil without a problem.
  public var problem: String?

  /// Creates the facts of a loud radio with a card and without audio.
  public init() {}
}

/// An order of an alarm to the player.
public enum AlarmAction: Equatable, Sendable {
  /// Receives the source in advance.
  case prepare(AlarmOccurrence)
  /// Ends the reception in advance.
  case cancel
  /// Plays the source at this volume in percent, whatever the radio does now, even in standby.
  case play(AlarmOccurrence, volume: Int)
  /// Sets the volume in percent, and unmutes.
  case volume(Int)
  /// Requests the sound card back from other programs.
  case takeCard
  /// Starts or stops the tone of the alarm.
  case tone(Bool)
  /// Ends an inaudible programme, because the tone is silent during a programme.
  case drop
  /// Plays the source again.
  case retry(AlarmOccurrence)
  /// Ends the audio until the alarm rings again.
  case pause
  /// Ends the alarm's audio. `isExpired`: true at the end of its duration; a radio that had played before then plays
  /// on.
  case silence(isExpired: Bool)
  /// Reports the end of an alarm.
  case report(AlarmReport)
}
