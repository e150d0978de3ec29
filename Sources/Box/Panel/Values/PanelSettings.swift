import PanelWords
import Units

/// The settings of the panel: the keys of `[panel]` and of the board.
public struct PanelSettings: Equatable, Sendable {
  /// Time between two steps of a scrolling text, in milliseconds (`Limits`).
  public var scrollMilliseconds = Defaults.scrollMilliseconds
  /// Volume change per detent or press, in percent.
  public var volumeStep = Defaults.volumeStep
  /// Time shift per detent or press, in seconds.
  public var scrubStep = Defaults.scrubStep
  /// True to show the clock while nothing plays; otherwise the display is dark in standby.
  public var idleClock = true
  /// The view of a playing station.
  public var face = PanelFace.titles
  /// The language of the display.
  public var language = Language.english
  /// True if the web panel is on.
  public var isWebOn = false
  /// The mode of the knob after power on.
  public var knobMode = KnobMode.tune

  /// Creates the documented defaults.
  public init() {}

  /// A copy with every number clamped to its range.
  var bounded: PanelSettings {
    var settings = self
    settings.scrollMilliseconds = Limits.scrollMilliseconds.nearest(to: scrollMilliseconds)
    settings.volumeStep = Limits.volumeStep.nearest(to: volumeStep)
    settings.scrubStep = Limits.scrubStep.nearest(to: scrubStep)
    return settings
  }

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
