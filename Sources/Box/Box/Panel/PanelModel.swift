import AudioOutput
import Control
import HomeAssistant
import Panel
import PanelWords
import RadioEngine
import Settings
import Units

/// A snapshot of radio, settings and clock for the panel and the service manager, once per iteration.
struct PanelModel: Equatable {
  let view: PanelView
  /// The tuned address; nil if the radio is stopped.
  let address: StationAddress?
  /// The source that replaces the station, for Home Assistant.
  let replacement: RadioSnapshot.Replacement?

  struct BoxState {
    var presets: [String] = []
    /// The local time; nil while the clock is not set.
    var clock: WallClock?
    var intent = PlaybackIntent.playing
    /// True if a retry of the station or of the sound card is planned.
    var isRetrying = false
    /// The volume, 0 to 100, and mute.
    var volume = 0
    var isMuted = false
    var sleepMinutes: Int?
    /// The box's IP address; nil without a network.
    var address: String?
    var sinkError: SinkError?
    var stationFault: PanelFault?
    var question: PanelQuestion?
    /// Seconds of audio before playback of a live station starts; the full length of the buffer bar.
    var bufferTarget = 0.0
    /// The times of the source that replaces the station.
    var sourceTimes = SourceTimes()
  }

  /// The state of the player; missing until a sink is opened.
  struct Playback {
    var status = RadioStatus()
    /// The owner's name for the station, "" if unnamed; nil without a current station.
    var name: String?
    var url: StationAddress?
    /// Index of the preset; nil if the station is not a preset.
    var presetPlace: Int?
    var queueCount = 0
    /// True if `next` and `previous` step through a list's items.
    var stepsItems = false
    /// The source that replaces the station; nil while the station is the source, or after a stop.
    var source: SourceReport?
    /// Name of another program that uses the sound card, "" if unknown; nil if the radio uses it.
    var guest: String?
    /// Volume, 0 to 100.
    var volume = 0
    var isMuted = false
    /// Seconds since the programme's start, and its length in seconds; nil if unknown.
    var elapsed: Double?
    var duration: Double?

    /// The owner's name for the station, or else the station's own; "" without a station.
    var station: String { name.map { $0.isEmpty ? status.station : $0 } ?? "" }
  }

  init(_ room: PanelView) { (view, address, replacement) = (room, nil, nil) }

  init(_ box: BoxState, _ playback: Playback?) {
    var view = PanelView()
    view.clock = box.clock
    view.version = Version.text
    view.isStandby = box.intent == .standby
    view.question = view.isStandby ? nil : box.question
    (view.volume, view.isMuted) = (box.volume, box.isMuted)
    view.sleepMinutes = box.sleepMinutes
    view.address = box.address ?? ""
    let isEmpty = box.presets.isEmpty && playback?.queueCount == 0
    view.fault = box.sinkError.map { PanelFault($0) } ?? (isEmpty ? .noStations : box.stationFault)
    if let playback {
      view.stations = box.presets
      view.bufferTarget = box.bufferTarget
      Self.fill(&view, playback)
      view.source = playback.source.map { PanelSource($0, box.sourceTimes) }
    } else {
      view.bootStage = view.fault == nil ? .soundCard : nil
    }
    view.isMeantToPlay = box.intent == .playing
    view.isRetrying = view.state == .stopped && box.isRetrying
    self.view = view
    address = playback.flatMap { $0.status.state == .stopped ? nil : $0.url }
    replacement = playback?.source.map { RadioSnapshot.Replacement($0, box.sourceTimes) }
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

  var serviceStatus: ServiceStatus { ServiceStatus(view) }
}

extension PanelModel.BoxState {
  init(_ player: PlayerController, _ presets: PresetCatalog, _ clock: WallClock?, _ configuration: Configuration) {
    self.presets = presets.names
    self.clock = clock
    (intent, volume, isMuted) = (player.intent, player.volume.percent, player.volume.isMuted)
    bufferTarget = configuration.buffer.waitLive
  }
}

extension PanelModel.Playback {
  static func station(of player: PlayerController) -> String { PanelModel.Playback(player).station }

  init(_ player: PlayerController) {
    status = player.status
    if let current = player.current {
      (name, url) = (player.fallback.fallbackName ?? current.name, current.request.url)
    }
    presetPlace = player.presetPlace
    queueCount = player.queue.count
    (stepsItems, guest) = (player.stepsItems, player.device.guest)
    (volume, isMuted) = (player.volume.percent, player.volume.isMuted)
    source = [.playing, .paused].contains(player.intent) ? player.fallback.report : nil
    if status.state != .stopped { (elapsed, duration) = (status.elapsed, status.span) }
  }
}

extension PanelFault {
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
