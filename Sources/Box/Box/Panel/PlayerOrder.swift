import Control
import Network
import Panel
import RadioEngine
import Recordings

enum PlayerOrder {
  /// Executes a command. Returns a notice for the display; nil without a notice. `stamp`: the time, for a recording's
  /// name.
  static func execute(
    _ order: PanelOrder, _ player: PlayerController, stamp: () -> String
  ) throws(RecordingError) -> PanelNotice? {
    switch order {
    case .tune(let index): player.playPreset(index)
    case .episode(let place): player.playItem(place)
    case .playFile(let path, let title):
      return player.tune(StationRequest(path: path), name: title) ? nil : .stationNotPlayed
    case .playPause: player.toggle()
    case .pause: player.pause()
    case .stop: player.stop()
    case .seek(let seconds) where seconds < 0: player.position.rewind(by: Double(-seconds))
    case .seek(let seconds): player.position.forward(by: Double(seconds))
    case .live: player.position.live()
    case .volume(let percent): player.volume.turn(to: percent)
    case .mute(let isMuted): player.volume.mute(isMuted)
    case .record: try toggleRecording(player, stamp)
    case .takeBack: player.device.endAllLeases()
    case .keep: return try saveSong(.current, player)
    case .keepPrevious: return try saveSong(.previous, player)
    case .sleep, .keepPreset, .movePreset, .removePreset, .answer, .playFound, .keepFound, .powerOff, .setting: break
    case .room, .muteRoom, .fetchDirectory, .playRecording, .deleteRecording: break
    }
    return nil
  }

  private static func toggleRecording(_ player: PlayerController, _ stamp: () -> String) throws(RecordingError) {
    guard player.recorder.recording == nil else { return player.recorder.endRecording() }
    let ending = player.status.codec == "AAC" ? "aac" : "mp3"
    let name = RecordingOrder.name(PanelModel.Playback.station(of: player), stamp: stamp())
    var order = RecordingOrder("\(name).\(ending)", reach: .folder)
    order.isNew = true
    try player.record(order)
  }

  private static func saveSong(_ song: Radio.Song, _ player: PlayerController) throws(RecordingError) -> PanelNotice {
    .songKept(title: try player.keep(song).title.track)
  }
}

extension PanelNotice {
  init(_ error: RecordingError) {
    self =
      switch error {
      case .busy: .alreadyRecording
      case .nothing: .nothingPlays
      case .noSong: .noTitle
      case .noSongBefore: .noEarlierTitle
      case .songGone: .songGone
      case .keptAlready: .songKeptAlready
      case _ where error.lacksRoom: .recordingsFull
      default: .recordingFailed
      }
  }
}
