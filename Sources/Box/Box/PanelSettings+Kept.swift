import Panel
import PanelWords
import Settings

extension PanelSetting {
  /// The key of the settings that keeps it, and its value as TOML writes it; nil where the state keeps it.
  var literal: (key: String, value: String)? {
    switch self {
    case .scrollMilliseconds(let milliseconds): ("panel.scroll_ms", "\(milliseconds)")
    case .idleClock(let isOn): ("panel.idle_clock", isOn ? "true" : "false")
    case .language(let language): ("language", "\"\(language.rawValue)\"")
    case .web(let isOn): ("web.enabled", isOn ? "true" : "false")
    case .face, .knobMode: nil
    }
  }
}

extension PanelSettings {
  /// What the settings say, and what was chosen at the panel, which the state keeps.
  init(_ configuration: Configuration, _ state: SavedState) {
    self.init()
    scrollMilliseconds = configuration.panel.scrollMilliseconds
    volumeStep = configuration.panel.volumeStep
    scrubStep = configuration.panel.scrubStep
    idleClock = configuration.panel.hasIdleClock
    language = configuration.language
    isWebOn = configuration.web.isEnabled
    face = state.face.flatMap { PanelFace(rawValue: $0) } ?? .titles
    knobMode = state.knobMode
  }
}
