import Directory
import Framing
import Http
import Network
import RadioEngine
import Units

enum StationCommands {
  static func rows(version: String) -> [ControlCommand] { [status(version)] + others }

  private static func status(_ version: String) -> ControlCommand {
    ControlCommand("radio_status", .read, "reports the complete status") { addStatus(&$0, version) }
  }

  private static var others: [ControlCommand] {
    [
      ControlCommand("radio_events", .read, "sends every later event as a line of JSON") { call in
        call.client.followEvents()
      },
      shift("radio_rewind", "seeks back, at most to the start of the buffer") { $0.position.rewind(by: $1) },
      shift("radio_forward", "seeks forward, at most to the end of the buffer") { $0.position.forward(by: $1) },
      ControlCommand("radio_live", .player, "returns to the live position") { call throws(ControlRefusal) in
        guard call.player.position.live() else { throw .notPlaying }
      },
      ControlCommand("radio_oldest", .player, "seeks to the start of the buffer") { call throws(ControlRefusal) in
        guard call.player.position.oldest() else { throw .notPlaying }
      },
      ControlCommand(
        "radio_tune", "NAME|NUMBER|ADDRESS", 1...1, .player, "plays a preset or another station; numbers start at 1"
      ) {
        call throws(ControlRefusal) in
        call.player.play(id: try stationID(call))
      },
      ControlCommand(
        "radio_tune_found", "ADDRESS SOURCE NAME", 3...3, .player,
        "plays a station of the directory at SOURCE, but not in your own networks"
      ) { call throws(ControlRefusal) in
        let reach = AddressPolicy(namedBy: StationAddress(call.arguments[1]))
        guard let request = try call.context.request(for: call.arguments[0], reach) else {
          throw ControlRefusal(.argument, "Unsupported URI scheme")
        }
        let name = DisplayText.clean(call.arguments[2], characterLimit: 100)
        if !call.player.tune(request, name: name) { throw .queueFull }
      },
      ControlCommand("radio_select", "NAME|NUMBER|ADDRESS", 1...1, .player, "selects the station for the next `play`") {
        call throws(ControlRefusal) in
        call.player.select(id: try stationID(call))
      },
      ControlCommand(
        "radio_episodes", "[START:END]", 0...1, .read, "lists the episodes of the podcast, or the files of the list",
        addEpisodes),
      ControlCommand("radio_episode", "NUMBER|next|previous", 1...1, .player, "plays an episode; numbers start at 1") {
        call throws(ControlRefusal) in
        let list = try list(call)
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
        "radio_nowplaying", "begin|end", 1...1, .player, "starts or stops requesting titles outside the stream"
      ) { call throws(ControlRefusal) in
        let isWanted = call.arguments[0] == "begin"
        guard isWanted || call.arguments[0] == "end" else {
          throw ControlRefusal(.argument, "begin or end expected: \(call.arguments[0])")
        }
        guard call.player.state != .stopped else { throw .notPlaying }
        guard call.player.asksForTitles(isWanted) else {
          throw ControlRefusal(.notFound, "This station has no titles outside its stream")
        }
      },
      ControlCommand("radio_gain", "DB", 1...1, .player, "sets the gain, -60 to 12 dB") {
        call throws(ControlRefusal) in
        let decibels = try call.figure(0)
        guard Limits.gain.contains(decibels) else {
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
      guard go(call.player, try call.time(0)) else { throw .notPlaying }
    }
  }
}

extension StationCommands {
  /// Returns the id of the first argument's station: a preset's number or name, a name in the queue, or an address.
  /// Adds a station that is not in the queue. Without presets, numbers are positions in the queue, from 1.
  private static func stationID(_ call: ControlCall) throws(ControlRefusal) -> Int {
    let (text, player) = (call.arguments[0], call.player)
    let number = Int(text).map { $0 &- 1 } ?? -1
    if player.presets[number] != nil {
      return try added(player.entry(ofPreset: number))
    } else if player.presets.isEmpty, let station = player.queue[number] {
      return station.id
    } else if let place = player.presets.place(named: text) {
      return try added(player.entry(ofPreset: place))
    } else if let station = player.queue.stations.first(where: { $0.name.lowercased() == text.lowercased() }) {
      return station.id
    } else if let hidden = player.queue.hidden(text) {
      let place = player.presets.place(url: hidden.request.url, name: hidden.name)
      return try added(
        place.map { player.entry(ofPreset: $0) } ?? player.entry(for: hidden.request, name: hidden.name))
    } else if let request = try call.context.request(for: text) {
      return try added(player.entry(for: request, name: call.context.directory.name(of: text)))
    }
    return try similar(text, player)
  }

  /// Returns the id of the only station whose name starts with a text, or has words that start with its words.
  private static func similar(_ text: String, _ player: PlayerController) throws(ControlRefusal) -> Int {
    let names = player.presets.isEmpty ? player.queue.stations.map(\.name) : player.presets.presets.map(\.name)
    let places = NameLookup(names).places(text)
    guard let place = places.first else {
      throw ControlRefusal(.notFound, "There is no such station; give its number, its name or its address.")
    }
    guard places.count == 1 else {
      let some = places.prefix(maxCandidates).map { "\($0 + 1) \(names[$0])" }.joined(separator: ", ")
      let others = places.count > maxCandidates ? " and \(places.count - maxCandidates) others" : ""
      throw ControlRefusal(.argument, "\(places.count) stations fit: \(some)\(others); give more of the name.")
    }
    return player.presets.isEmpty ? player.queue.stations[place].id : try added(player.entry(ofPreset: place))
  }

  private static let maxCandidates = 8

  private static func added(_ id: Int?) throws(ControlRefusal) -> Int {
    guard let id else { throw .queueFull }
    return id
  }

  private static func addStatus(_ call: inout ControlCall, _ version: String) {
    let (status, player) = (call.player.status, call.player)
    let (facts, title, source) = (status.facts, status.title, player.fallback.report)
    let reason = source?.reason ?? status.lowerRate.map { SourceReason.slowLine($0) }
    call.answer.add([
      "state": status.state.rawValue, "intent": player.intent.rawValue,
      "audible": status.isAudioPlaying && !player.volume.isMuted,
    ])
    GuestCommands.addStatus(&call)
    call.answer.add([
      "station": name(call, status), "source": source?.source, "source_kind": source?.kind.rawValue,
      "source_for": source?.seconds, "source_reason": reason?.sentence, "source_cause": reason?.word,
      "source_next": player.fallback.nextAttemptSeconds, "sources": player.fallback.choices.count,
      "told_name": facts?.name,
      "title": title?.text, "artist": title?.artist, "track": title?.track, "ad": status.adBreak?.kind.rawValue,
      "live": facts?.isLive, "timeshift": status.timeShift, "held": status.held, "capacity": status.capacity,
    ])
    addBuffer(&call, status)
    call.answer.add([
      "network": word(status), "underruns": status.underruns, "rescues": status.rescues, "xruns": status.xruns,
      "missed_notices": status.missedNotices, "lost": status.lost, "rss_anon": player.statistics.residentKibibytes,
    ])
    addPosition(&call, status)
    let episode = status.list == nil ? nil : status.item.map { $0 + 1 }
    call.answer.add([
      "stream_url": facts?.url, "second_source": status.secondSource, "meta_url": title?.url,
      "episode": episode, "episodes": status.list?.items.count,
    ])
    call.answer.add(status.recording)
    let (left, right) = player.meter.levels
    let spectrum = player.meter.spectrum(bands: 16).map { "\(Int($0.value.rounded()))" }.joined(separator: " ")
    call.answer.add([
      "rooms": call.context.rooms?.list.rooms.count, "volume": player.volume.setting, "muted": player.volume.isMuted,
      "level_l": left.average, "level_r": right.average, "peak_l": left.peak, "peak_r": right.peak,
      "spectrum": spectrum, "error": player.trouble ?? player.fault?.sentence,
      "fault": player.fault?.cause.rawValue, "version": version,
    ])
    call.context.moreStatus(&call.answer)
  }

  private static func addBuffer(_ call: inout ControlCall, _ status: RadioStatus) {
    let bitRate = status.measuredBitRate.map { ($0.bitsPerSecond + 500) / 1_000 }
    call.answer.add([
      "blocks_used": status.blocks.usedCount, "blocks_total": status.blocks.blockCount,
      "block_playing": status.blocks.playing, "behind_live": status.facts?.isLive == true ? status.held : nil,
      "bitrate": bitRate, "codec": status.codec, "reconnect_attempt": status.attempt,
    ])
  }

  private static func addPosition(_ call: inout ControlCall, _ status: RadioStatus) {
    let facts = status.facts
    let bitRate = facts?.toldBitRate.map { ($0 + 500) / 1_000 }
    let window = status.window.map { ($0.end - $0.oldest).seconds }
    call.answer.add([
      "position": status.position, "duration": status.state == .stopped ? nil : status.span,
      "byte_offset": status.byteOffset, "seekable": status.isFileSeekAllowed,
      "rewind_allowed": status.isRewindAllowed, "fast_forward_allowed": status.isFastForwardAllowed,
      "genre": facts?.genre, "told_bitrate": bitRate, "container": facts?.container?.name,
      "variant": facts?.segments?.variant?.text, "window": window, "on_air": status.onAir.flatMap { TimeText.utc($0) },
    ])
  }

  private static func list(_ call: ControlCall) throws(ControlRefusal) -> FileList {
    guard let list = call.player.status.list else { throw ControlRefusal(.notFound, "No podcast is tuned to") }
    return list
  }

  private static func addEpisodes(_ call: inout ControlCall) throws(ControlRefusal) {
    let list = try list(call)
    let wanted = try call.arguments.isEmpty ? 0..<list.items.count : call.range(0)
    for number in wanted.clamped(to: list.items.indices) {
      let item = list.items[number]
      let date = item.date.flatMap { TimeText.utc($0, "%Y-%m-%d") }
      call.answer.add([
        "episode": number + 1, "title": item.title, "date": date, "duration": item.seconds, "url": item.shownURL,
      ])
    }
  }

  /// Returns the owner's name of the station, or else its own name. An unnamed file of a list has the list's name for
  /// it.
  private static func name(_ call: ControlCall, _ status: RadioStatus) -> String? {
    let told = status.facts == nil ? nil : status.station
    let shown = call.player.current?.request.url.description
    return [call.player.current?.name, told, shown, status.station].compactMap { $0 }.first { !$0.isEmpty }
  }

  private static func word(_ status: RadioStatus) -> String {
    if status.state == .stopped { return "off" }
    return status.isResting
      ? "resting" : status.attempt > 0 ? "reconnecting" : status.facts == nil ? "connecting" : "connected"
  }
}
