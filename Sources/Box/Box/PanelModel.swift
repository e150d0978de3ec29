import AudioOutput
import Control
import Panel
import RadioEngine
import Settings
import Units

/// All that the panel and the service are told in one turn: a copy of what the radio, the settings and the clock say.
struct PanelModel: Equatable {
  /// What the panel knows.
  let view: PanelView
  /// The address that was tuned to last; nil where the radio is stopped.
  let address: StationAddress?

  /// What the box itself knows, whether there is a radio or not.
  struct Surroundings {
    /// The names of the presets.
    var presets: [String] = []
    /// Nil while the clock is not set.
    var clock: WallClock?
    /// Whether the box was sent to standby.
    var isStandby = false
    /// The volume that is remembered, 0 to 100, and whether the sound was muted.
    var volume = 0
    var isMuted = false
    /// Minutes until it goes to standby by itself; nil: it does not.
    var sleepMinutes: Int?
    /// Where the box is reached; nil without a network.
    var address: String?
    /// What keeps the sound from where it goes; nil: nothing.
    var sinkError: SinkError?
    /// What keeps the station from coming; nil: nothing.
    var stationFault: PanelFault?
    /// What the owner is asked; nil: nothing.
    var question: PanelQuestion?
    /// Seconds that are held of a live station before it sounds, and as the whole of the buffer's bar.
    var bufferTarget = 0.0
  }

  /// What the player tells; there is none before a sink was found.
  struct Playback {
    /// The radio at this moment.
    var status = RadioStatus()
    /// What the owner calls the station; nil where none is current, "" where it has no name.
    var name: String?
    /// Its address.
    var url: StationAddress?
    /// The place of the preset that is current, from 0; nil: it is none.
    var presetPlace: Int?
    /// How many stations clients lined up.
    var queueCount = 0
    /// Whether `next` and `previous` go through a list's items.
    var stepsItems = false
    /// What another program that has the sound is called, "" where it told no name; nil while the sound is the radio's.
    var guest: String?
    /// 0 to 100.
    var volume = 0
    /// Whether the sound is muted.
    var isMuted = false
    /// Seconds into what plays, and its length, where they are known.
    var elapsed: Double?
    var duration: Double?

    /// What the owner calls the station, else what it calls itself; "" where there is none.
    var station: String { name.map { $0.isEmpty ? status.station : $0 } ?? "" }
  }

  /// What is told of a box that is a room.
  init(_ room: PanelView) { (view, address) = (room, nil) }

  /// What is told of a box; `playback` is nil while there is no radio.
  init(_ box: Surroundings, _ playback: Playback?) {
    var view = PanelView()
    view.clock = box.clock
    view.version = Version.text
    view.isStandby = box.isStandby
    view.question = box.isStandby ? nil : box.question
    (view.volume, view.isMuted) = (box.volume, box.isMuted)
    view.sleepMinutes = box.sleepMinutes
    view.address = box.address ?? ""
    let isEmpty = box.presets.isEmpty && playback?.queueCount == 0
    view.fault = box.sinkError.map { PanelFault($0) } ?? (isEmpty ? .noStations : box.stationFault)
    if let playback {
      view.stations = box.presets
      view.bufferTarget = box.bufferTarget
      Self.fill(&view, playback)
    } else {
      view.bootStage = view.fault == nil ? .soundCard : nil
    }
    self.view = view
    address = playback.flatMap { $0.status.state == .stopped ? nil : $0.url }
  }

  private static func fill(_ view: inout PanelView, _ playback: Playback) {
    let status = playback.status
    view.state = PanelState(rawValue: status.state.rawValue) ?? .stopped
    view.isAudible = status.isAudioPlaying
    view.guest = playback.guest
    (view.volume, view.isMuted) = (playback.volume, playback.isMuted)
    view.station = playback.station
    view.stationIndex = playback.presetPlace
    view.artist = status.title?.artist ?? ""
    view.title = status.title?.track ?? ""
    if status.facts?.isLive == false { (view.position, view.duration) = (playback.elapsed, playback.duration) }
    view.episodes = status.list?.items.map { $0.title ?? $0.shownURL } ?? []
    view.episodeIndex = status.item
    view.stepsEpisodes = playback.stepsItems
    view.held = status.held
    view.heldBehind = status.heldBehind
    view.timeShift = status.timeShift
    view.capacity = status.capacity
    view.recording = status.recording.map {
      PanelRecording(name: $0.name, seconds: $0.seconds, roomSeconds: $0.secondsLeft)
    }
    view.codec = status.codec ?? ""
    view.bitRate = status.measuredBitRate.map { ($0.bitsPerSecond + 500) / 1_000 } ?? 0
  }

  /// What the radio does, for `systemctl status`.
  var statusLine: String {
    if let guest = view.guest { return "Suspended: \(guest.isEmpty ? "another program" : guest) plays" }
    if let fault = view.fault { return "Trouble: \(fault)" }
    if view.isStandby { return "Standby" }
    return view.station.isEmpty ? view.state.rawValue : "\(view.state.rawValue): \(view.station)"
  }
}

extension PanelModel.Surroundings {
  /// What a box remembers, its presets, the time where it is known, and its settings.
  init(_ state: SavedState, _ presets: PresetCatalog, _ clock: WallClock?, _ configuration: Configuration) {
    self.presets = presets.entries.map(\.settings.name)
    self.clock = clock
    (isStandby, volume, isMuted) = (state.isStandby, state.volume, state.isMuted)
    bufferTarget = configuration.buffer.waitLive
  }
}

extension PanelModel.Playback {
  /// What the owner calls the station that a player plays, else what it calls itself; "" where there is none.
  static func station(of player: PlayerController) -> String { PanelModel.Playback(player).station }

  /// What a player tells now.
  init(_ player: PlayerController) {
    status = player.status
    name = player.current?.name
    url = player.current?.request.url
    presetPlace = player.presetPlace
    queueCount = player.queue.count
    (stepsItems, guest) = (player.stepsItems, player.device.guest)
    (volume, isMuted) = (player.volume.percent, player.volume.isMuted)
    if status.state != .stopped { (elapsed, duration) = (status.elapsed, status.span) }
  }
}

extension PanelFault {
  /// What keeps the sound from its sink, to who looks at the display.
  init(_ error: SinkError) {
    self =
      switch error {
      case .deviceBusy: .soundCardBusy
      case .noReader, .readerGone, .readerStands, .noFeed, .pipeGone: .pipeUnread
      case .terminal, .fileFailed: .outputFailed
      case .noSuchDevice, .deviceForbidden, .deviceUnsuitable, .deviceFailed: .soundCardMissing
      }
  }
}
