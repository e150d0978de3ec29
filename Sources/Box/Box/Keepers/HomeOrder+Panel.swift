import HomeAssistant
import Panel

extension PanelOrder {
  /// Translates a command of Home Assistant; empty if the radio already has the requested state. `options`: the list of
  /// presets in Home Assistant.
  static func orders(_ order: HomeOrder, _ view: PanelView, _ options: PresetOptions) -> [PanelOrder] {
    // A pause by a guest of the sound card is not the owner's.
    let isSilent = view.state == .stopped || view.state == .paused && !view.isMeantToPlay
    switch order {
    case .play: return isSilent ? [.playPause] : []
    case .pause where view.isRetrying: return [.stop]
    case .pause: return isSilent ? [] : [.pause]
    case .stop: return [.stop]
    case .power(true): return isSilent && !view.isRetrying ? [.playPause] : []
    case .power(false): return [.powerOff]
    case .next: return next(view)
    case .keep: return [.keep]
    case .volume(let percent): return [.volume(percent)] + (view.isMuted && percent > 0 ? [.mute(false)] : [])
    case .sleep(let minutes): return [.sleep(minutes: minutes == 0 ? nil : minutes)]
    case .station(let text): return options.place(of: text).map { [.tune($0)] } ?? []
    }
  }

  /// Returns the step to the next item of a podcast, or else to the next preset. Stops after the last item; after the
  /// last preset, the first preset follows.
  private static func next(_ view: PanelView) -> [PanelOrder] {
    if view.stepsEpisodes, let episode = view.episodeIndex {
      return view.episodes.indices.contains(episode + 1) ? [.episode(episode + 1)] : [.stop]
    }
    guard !view.stations.isEmpty else { return [] }
    return [.tune(view.stationIndex.map { ($0 + 1) % view.stations.count } ?? 0)]
  }
}

extension RadioSnapshot {
  init(_ view: PanelView, _ presets: PresetOptions) {
    self.init()
    state =
      view.isStandby ? .standby : view.isRetrying ? .retrying : State(rawValue: view.state.rawValue) ?? .stopped
    station = view.station
    artist = view.artist
    title = view.title
    volume = view.isMuted ? 0 : view.volume
    sleepMinutes = view.sleepMinutes ?? 0
    fault = view.fault?.words(in: .english)
    (self.presets, preset) = (presets, view.stationIndex)
  }
}
