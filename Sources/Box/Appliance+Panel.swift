import Control
import Glibc
import Panel
import Radio
import Settings
import Units

// What the panel sees, and what it asks for.

extension Appliance {
  /// Everything that the panel knows.
  var view: PanelView {
    var view = PanelView()
    view.stations = tuner == nil ? [] : catalog.entries.map(\.settings.name)
    view.clock = wall.clock
    view.version = Version.text
    view.isStandby = isStandby
    view.volume = state.volume
    view.isMuted = state.isMuted
    view.sleepMinutes = sleepMinutes
    view.address = NetworkAddress.own ?? ""
    view.trouble = sinkWords ?? (hasNoStations ? .noStations : troubles.trouble(at: now))
    guard let tuner else {
      view.bootStage = view.trouble == nil ? .soundCard : nil
      return view
    }
    fill(&view, tuner.radio.status, tuner.player)
    return view
  }

  /// Whether there is nothing that could be played: no preset, and nothing that a client added.
  private var hasNoStations: Bool { catalog.entries.isEmpty && tuner?.player.queue.count == 0 }

  /// Minutes until it goes to standby by itself; nil where it does not.
  var sleepMinutes: Int? { sleepEnd.map { max(1, Int((($0 - now).seconds / 60).rounded(.up))) } }

  /// What the owner calls the station, else what it calls itself; "" where there is none.
  func stationName(_ status: RadioStatus, _ player: PlayerController) -> String {
    player.current.map { $0.name.isEmpty ? status.station : $0.name } ?? ""
  }

  private func fill(_ view: inout PanelView, _ status: RadioStatus, _ player: PlayerController) {
    view.state = PanelState(rawValue: status.state.rawValue) ?? .stopped
    view.isAudible = status.isAudioPlaying
    (view.volume, view.isMuted) = (player.volume.percent, player.volume.isMuted)
    view.station = stationName(status, player)
    view.stationIndex = player.presetPlace
    view.artist = status.title?.artist ?? ""
    view.title = status.title?.track ?? ""
    if status.facts?.isLive == false {
      view.position = player.position.elapsed
      view.duration = player.position.duration
    }
    view.episodes = status.list?.items.map { $0.title ?? $0.shownURL } ?? []
    view.episodeIndex = status.item
    view.stepsEpisodes = player.stepsItems
    view.held = status.held
    view.heldBehind = status.heldBehind
    view.timeShift = status.timeShift
    view.capacity = status.capacity
    view.bufferTarget = configuration.buffer.waitLive
    view.recording = recording
    view.codec = status.codec ?? ""
    view.bitRate = status.measuredBitRate.map { ($0.bitsPerSecond + 500) / 1_000 } ?? 0
  }

  /// What is heard, where a screen shows it.
  var sound: PanelSound? {
    guard panel.settings.face != .titles, let radio = tuner?.radio, radio.state != .paused, radio.isAudioPlaying else {
      return nil
    }
    var sound = PanelSound()
    let (left, right) = radio.levels
    sound.averages = [left.average.value, right.average.value]
    sound.peaks = [left.peak.value, right.peak.value]
    if panel.settings.face == .spectrum {
      sound.bands = radio.spectrum(bands: (board.display?.size ?? .large).columns).map(\.value)
    }
    return sound
  }

  /// Does what the panel asks for, in that order.
  func obey(_ commands: [PanelCommand]) {
    for command in commands { obey(command) }
  }

  private func obey(_ command: PanelCommand) {
    let player = tuner?.player
    switch command {
    case .tune(let index): player?.playPreset(index)
    case .episode(let place): player?.playItem(place)
    case .playPause: if isStandby || player?.current == nil { playLast() } else { player?.toggle() }
    case .stop: player?.stop()
    case .seek(let seconds):
      if seconds < 0 {
        player?.position.rewind(by: Double(-seconds))
      } else {
        player?.position.forward(by: Double(seconds))
      }
    case .live: player?.position.live()
    case .volume(let percent):
      state.volume = percent
      player?.volume.turn(to: percent)
    case .mute(let isMuted):
      state.isMuted = isMuted
      player?.volume.mute(isMuted)
    case .sleep(let minutes): sleepEnd = minutes.map { now + MonotonicTime(milliseconds: Int64($0) * 60_000) }
    case .record: toggleRecording()
    case .keep: keep(.current)
    case .keepPrevious: keep(.previous)
    case .powerOff: goToStandby()
    case .keepPreset, .movePreset, .removePreset: changePresets(command)
    case .setting(.scrollMilliseconds(let milliseconds)): keep("panel.scroll_ms", "\(milliseconds)")
    case .setting(.idleClock(let isOn)): keep("panel.idle_clock", isOn ? "true" : "false")
    case .setting(.face(let face)): state.face = face.rawValue
    case .setting(.knobMode): break
    }
  }

  /// What the radio does, for `systemctl status`.
  var words: String {
    let view = view
    if let trouble = view.trouble { return "Trouble: \(trouble)" }
    if view.isStandby { return "Standby" }
    return view.station.isEmpty ? view.state.rawValue : "\(view.state.rawValue): \(view.station)"
  }
}

/// Where the box is reached.
enum NetworkAddress {
  /// The first address of IPv4 that is not the loopback's (`getifaddrs(3)`).
  static var own: String? {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return nil }
    defer { freeifaddrs(first) }
    var entry = first
    while let interface = entry?.pointee {
      entry = interface.ifa_next
      guard let address = interface.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET),
        interface.ifa_flags & UInt32(IFF_LOOPBACK) == 0
      else { continue }
      var text = [CChar](repeating: 0, count: 64)
      guard getnameinfo(address, socklen_t(MemoryLayout<sockaddr_in>.size), &text, 64, nil, 0, NI_NUMERICHOST) == 0
      else { continue }
      return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    return nil
  }
}
