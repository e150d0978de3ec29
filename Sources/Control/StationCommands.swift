import Glibc
import Network
import Radio

/// Bakelite's own.
enum StationCommands {
  static var rows: [ControlCommand] {
    [
      ControlCommand("radio_status", .read, "tells everything") { $0.tellEverything() },
      ControlCommand("radio_events", .read, "tells every event from now on, a line of JSON each") { call in
        call.session.hearsEvents = true
      },
      shift("radio_rewind", "goes back so many seconds, or as far as is held") { $0.position.rewind(by: $1) },
      shift("radio_forward", "goes on so many seconds, or as far as is held") { $0.position.forward(by: $1) },
      ControlCommand("radio_live", .player, "goes to what the station sends now") { call throws(ControlRefusal) in
        guard call.player.position.live() else { throw .notPlaying }
      },
      ControlCommand("radio_oldest", .player, "goes to the oldest that is held") { call throws(ControlRefusal) in
        guard call.player.position.oldest() else { throw .notPlaying }
      },
      ControlCommand(
        "radio_suspend", .player, "lets go of the sound device, and answers when it is free; the buffer goes on filling"
      ) { call in
        call.player.suspend()
        call.answer.isDeferred = true
        call.session.answer { [player = call.player] in !player.isLettingGo }
      },
      ControlCommand("radio_resume", .player, "takes the sound device again, and goes on with what played") {
        $0.player.endSuspension()
      },
      ControlCommand(
        "radio_tune", "NAME|NUMBER|ADDRESS", 1...1, .player, "plays a preset, or another station; numbers begin with 1"
      ) {
        call throws(ControlRefusal) in
        switch try call.choice() {
        case .preset(let place): if !call.player.playPreset(place) { throw .queueFull }
        case .queued(let id): call.player.play(id: id)
        case .address(let request, let name): if !call.player.tune(request, name: name) { throw .queueFull }
        }
      },
      ControlCommand("radio_select", "NAME|NUMBER|ADDRESS", 1...1, .player, "chooses what `play` begins with") {
        call throws(ControlRefusal) in
        switch try call.choice() {
        case .preset(let place): if !call.player.selectPreset(place) { throw .queueFull }
        case .queued(let id): call.player.select(id: id)
        case .address(let request, let name): if !call.player.select(request, name: name) { throw .queueFull }
        }
      },
      ControlCommand(
        "radio_episodes", "[START:END]", 0...1, .read, "tells the episodes of the podcast, or the files of the list"
      ) { call throws(ControlRefusal) in try call.tellEpisodes() },
      ControlCommand("radio_episode", "NUMBER|next|previous", 1...1, .player, "plays one of them; numbers begin with 1")
      {
        call throws(ControlRefusal) in
        let list = try call.list()
        let now = call.player.status.item
        let number: Int? =
          switch call.arguments[0] {
          case "next": now.map { $0 + 2 } ?? 1
          case "previous": now
          default: Int(call.arguments[0])
          }
        guard let number, list.items.indices.contains(number &- 1), call.player.playItem(number - 1) else {
          throw ControlRefusal(.notFound, "There is no such episode; there are \(list.items.count)")
        }
      },
      ControlCommand(
        "radio_nowplaying", "begin|end", 1...1, .player, "asks for the titles beside the stream, or does not any more"
      ) { call throws(ControlRefusal) in
        let isWanted = call.arguments[0] == "begin"
        guard isWanted || call.arguments[0] == "end" else {
          throw ControlRefusal(.argument, "begin or end expected: \(call.arguments[0])")
        }
        guard call.player.state != .stopped else { throw .notPlaying }
        guard call.player.asksForTitles(isWanted) else {
          throw ControlRefusal(.notFound, "This station tells no titles beside its stream")
        }
      },
      ControlCommand("radio_gain", "DB", 1...1, .player, "makes everything louder or quieter, -60 to 12") {
        call throws(ControlRefusal) in
        let decibels = try call.figure(0)
        guard (-60...12).contains(decibels) else {
          throw ControlRefusal(.argument, "The gain lies between -60 and 12 dB: \(call.arguments[0])")
        }
        guard call.player.volume.turnGain(to: decibels) else { throw ControlRefusal(.system, "The gain cannot be set") }
      },
    ]
  }

  private static func shift(
    _ name: String, _ summary: String, _ go: @escaping (PlayerController, Double) -> Bool
  ) -> ControlCommand {
    ControlCommand(name, "SECONDS", 1...1, .player, summary) { call throws(ControlRefusal) in
      guard go(call.player, try call.moment(0)) else { throw .notPlaying }
    }
  }
}

extension ControlCall {
  fileprivate enum Choice {
    case preset(Int)
    case queued(Int)
    case address(StationRequest, name: String)
  }

  /// What the first argument means: a preset's number or name, a name in the queue, or an address. Where there are no
  /// presets, numbers are positions in the queue, from 1 on.
  fileprivate func choice() throws(ControlRefusal) -> Choice {
    let text = arguments[0]
    if let number = Int(text) {
      if player.presets[number &- 1] != nil { return .preset(number - 1) }
      if player.presets.isEmpty, let station = player.queue[number &- 1] { return .queued(station.id) }
    } else if let place = player.presets.place(named: text) {
      return .preset(place)
    } else if let station = player.queue.stations.first(where: { $0.name.lowercased() == text.lowercased() }) {
      return .queued(station.id)
    } else if let hidden = player.queue.hidden(text) {
      let place = player.presets.place(url: hidden.request.url, name: hidden.name)
      return place.map { .preset($0) } ?? .address(hidden.request, name: hidden.name)
    } else if let request = commands.request(for: text) {
      return .address(request, name: "")
    }
    throw ControlRefusal(.notFound, "There is no such station; give its number, its name or its address.")
  }

  /// Everything, a line each; what is not known is left out.
  fileprivate mutating func tellEverything() {
    let status = player.status
    answer.add("state", status.state.rawValue)
    answer.add("audible", status.isAudioPlaying && !player.volume.isMuted)
    answer.add("suspended", player.isSuspended)
    answer.add("station", name(status))
    answer.add("told_name", status.facts?.name)
    answer.add("title", status.title?.text)
    answer.add("artist", status.title?.artist)
    answer.add("track", status.title?.track)
    if let facts = status.facts { answer.add("live", facts.isLive) }
    answer.add(seconds: "timeshift", status.timeShift)
    answer.add(seconds: "held", status.held)
    answer.add(seconds: "capacity", status.capacity)
    answer.add("blocks_used", status.blocks.usedCount)
    answer.add("blocks_total", status.blocks.blockCount)
    answer.add("block_playing", status.blocks.playing)
    answer.add(seconds: "behind_live", status.facts?.isLive == true ? status.held : nil)
    answer.add("bitrate", status.measuredBitRate.map { ($0.bitsPerSecond + 500) / 1_000 })
    answer.add("codec", status.codec)
    answer.add("reconnect_attempt", status.attempt)
    answer.add("network", Self.word(status))
    answer.add("underruns", status.underruns)
    answer.add("rescues", status.rescues)
    answer.add("xruns", status.xruns)
    answer.add("missed_notices", status.missedNotices)
    answer.add(seconds: "lost", status.lost)
    answer.add("rss_anon", player.residentKibibytes)
    answer.add(seconds: "position", status.position)
    answer.add(seconds: "duration", status.state == .stopped ? nil : status.span)
    answer.add("byte_offset", status.byteOffset)
    answer.add("seekable", status.isFileSeekAllowed)
    answer.add("rewind_allowed", status.isRewindAllowed)
    answer.add("fast_forward_allowed", status.isFastForwardAllowed)
    answer.add("genre", status.facts?.genre)
    answer.add("told_bitrate", status.facts?.toldBitRate.map { ($0 + 500) / 1_000 })
    answer.add("stream_url", status.facts?.url)
    answer.add("meta_url", status.title?.url)
    answer.add("episode", status.list == nil ? nil : status.item.map { $0 + 1 })
    answer.add("episodes", status.list?.items.count)
    answer.add(status.recording)
    answer.add("volume", volume)
    answer.add("muted", player.volume.isMuted)
    let (left, right) = player.meter.levels
    answer.add(decibels: "level_l", left.average)
    answer.add(decibels: "level_r", right.average)
    answer.add(decibels: "peak_l", left.peak)
    answer.add(decibels: "peak_r", right.peak)
    answer.add("spectrum", player.meter.spectrum(bands: 16).map { "\(Int($0.value.rounded()))" }.joined(separator: " "))
    answer.add("error", player.problem)
    answer.add("fault", player.fault?.rawValue)
    answer.add("version", commands.facts.version)
    commands.moreStatus(&answer)
  }

  fileprivate func list() throws(ControlRefusal) -> FileList {
    guard let list = player.status.list else { throw ControlRefusal(.notFound, "No podcast is tuned to") }
    return list
  }

  /// The items of the list: number, title, date, length and address of each.
  fileprivate mutating func tellEpisodes() throws(ControlRefusal) {
    let list = try list()
    let wanted = try arguments.isEmpty ? 0..<list.items.count : range(0)
    for number in wanted.clamped(to: list.items.indices) {
      let item = list.items[number]
      answer.add("episode", number + 1)
      answer.add("title", item.title)
      answer.add("date", item.date.flatMap { Self.day($0) })
      answer.add("duration", item.seconds)
      answer.add("url", item.shownURL)
    }
  }

  /// Such as "2026-11-21" (UTC, `gmtime_r(3)`); nil for a moment that no calendar has.
  private static func day(_ seconds: Int64) -> String? {
    var (moment, date) = (time_t(seconds), tm())
    var text = [CChar](repeating: 0, count: 32)
    guard gmtime_r(&moment, &date) != nil, strftime(&text, text.count, "%Y-%m-%d", &date) > 0 else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// As its owner calls the station, else as it calls itself; a file in a list without a name as the list calls it.
  private func name(_ status: RadioStatus) -> String? {
    let told = status.facts == nil ? nil : status.station
    let shown = player.current?.request.url.description
    return [player.current?.name, told, shown, status.station].compactMap { $0 }.first { !$0.isEmpty }
  }

  private static func word(_ status: RadioStatus) -> String {
    if status.state == .stopped { return "off" }
    return status.isResting
      ? "resting" : status.attempt > 0 ? "reconnecting" : status.facts == nil ? "connecting" : "connected"
  }
}
