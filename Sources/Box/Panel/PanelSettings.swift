import PanelWords
import Units

/// How the panel behaves; the keys of `[panel]` and of the board.
public struct PanelSettings: Equatable, Sendable {
  /// From one step of a scrolling text to the next, in milliseconds, 50 to 5,000.
  public var scrollMilliseconds = Defaults.scrollMilliseconds
  /// What one click or press changes the volume by, 1 to 20.
  public var volumeStep = Defaults.volumeStep
  /// What one click or press moves the time shift by, in seconds, 1 to 600.
  public var scrubStep = Defaults.scrubStep
  /// Whether the clock is shown while nothing plays; else the display goes dark in standby.
  public var idleClock = true
  /// What is shown while a station plays.
  public var face = PanelFace.titles
  /// What the knob turns after power on.
  public var knobMode = KnobMode.tune

  /// The documented defaults.
  public init() {}

  /// The same with every number within its range.
  var bounded: PanelSettings {
    var settings = self
    settings.scrollMilliseconds = max(50, min(5000, scrollMilliseconds))
    settings.volumeStep = max(1, min(20, volumeStep))
    settings.scrubStep = max(1, min(600, scrubStep))
    return settings
  }

  /// Takes a setting that the menu changed.
  mutating func adopt(_ setting: PanelSetting) {
    switch setting {
    case .knobMode(let mode): knobMode = mode
    case .scrollMilliseconds(let milliseconds): scrollMilliseconds = milliseconds
    case .idleClock(let isOn): idleClock = isOn
    case .face(let face): self.face = face
    }
  }
}
