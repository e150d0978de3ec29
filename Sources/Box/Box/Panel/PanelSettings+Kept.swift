import Panel
import Settings

extension PanelSetting {
  /// The key in the settings and the value as a TOML literal; nil for values stored in the state file.
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
