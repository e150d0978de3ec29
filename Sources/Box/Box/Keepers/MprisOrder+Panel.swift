import HomeAssistant
import Mpris
import Panel

extension PanelOrder {
  /// Translates a client's order; empty if the radio already has the requested state, and for positions.
  static func orders(_ order: MprisOrder, _ view: PanelView) -> [PanelOrder] {
    let presets = PresetOptions([])
    switch order {
    case .play: return orders(HomeOrder.play, view, presets)
    case .pause: return orders(HomeOrder.pause, view, presets)
    case .toggle: return [.playPause]
    case .stop: return orders(HomeOrder.stop, view, presets)
    case .next: return orders(HomeOrder.next, view, presets)
    case .previous: return previous(view)
    case .volume(let percent): return orders(HomeOrder.volume(percent), view, presets)
    case .seek, .go, .quit: return []
    }
  }

  /// Returns the step to the previous item of a podcast, or else to the previous preset. Before the first preset, the
  /// last preset follows.
  private static func previous(_ view: PanelView) -> [PanelOrder] {
    if view.stepsEpisodes, let episode = view.episodeIndex { return [.episode(max(0, episode - 1))] }
    guard let last = view.stations.indices.last else { return [] }
    return [.tune(view.stationIndex.map { $0 > 0 ? $0 - 1 : last } ?? last)]
  }
}
