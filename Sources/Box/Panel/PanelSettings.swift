import PanelWords
import Units

/// How the panel behaves; the keys of `[panel]` and of the board.
public struct PanelSettings: Equatable, Sendable {
  /// From one step of a scrolling text to the next, in milliseconds (`Limits`).
  public var scrollMilliseconds = Defaults.scrollMilliseconds
  /// What one click or press changes the volume by, in percent.
  public var volumeStep = Defaults.volumeStep
  /// What one click or press moves the time shift by, in seconds.
  public var scrubStep = Defaults.scrubStep
  /// Whether the clock is shown while nothing plays; else the display goes dark in standby.
  public var idleClock = true
  /// What is shown while a station plays.
  public var face = PanelFace.titles
  /// The language of the display.
  public var language = Language.english
  /// Whether the web panel is on.
  public var isWebOn = false
  /// What the knob turns after power on.
  public var knobMode = KnobMode.tune

  /// The documented defaults.
  public init() {}

  /// The same with every number within its range.
  var bounded: PanelSettings {
    var settings = self
    settings.scrollMilliseconds = Limits.scrollMilliseconds.nearest(to: scrollMilliseconds)
    settings.volumeStep = Limits.volumeStep.nearest(to: volumeStep)
    settings.scrubStep = Limits.scrubStep.nearest(to: scrubStep)
    return settings
  }

  /// Takes a setting that the menu changed.
  mutating func adopt(_ setting: PanelSetting) {
    switch setting {
    case .knobMode(let mode): knobMode = mode
    case .scrollMilliseconds(let milliseconds): scrollMilliseconds = milliseconds
    case .idleClock(let isOn): idleClock = isOn
    case .face(let face): self.face = face
    case .language(let language): self.language = language
    case .web(let isOn): isWebOn = isOn
    }
  }
}
