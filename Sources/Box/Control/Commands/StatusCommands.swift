import RadioEngine

enum StatusCommands {
  static var rows: [ControlCommand] {
    [
      ControlCommand("status", .read, "reports volume, options, state and position", addStatus),
      ControlCommand("stats", .read, "reports run time, play time, and the size of the station directory") {
        call throws(ControlRefusal) in
        let statistics = call.player.statistics
        call.answer.add(["uptime": Int(statistics.uptime), "playtime": Int(statistics.playtime)])
        try call.browse(orElse: { _ in }, begin: { tree in tree.addSize })
      },
      ControlCommand("clearerror", .player, "clears the last error") { $0.player.clearFailure() },
      ControlCommand("config", .admin, "reports nothing; Unix socket only") { call throws(ControlRefusal) in
        try call.requireLocal()
      },
      ControlCommand("urlhandlers", .read, "lists the supported URL schemes") { call in
        for handler in ["http://", "https://"] { call.answer.add("handler", handler) }
      },
      ControlCommand("decoders", .read, "lists the decoders with their suffixes and MIME types") { call in
        for (plugin, suffixes, types) in Self.decoders {
          call.answer.add("plugin", plugin)
          for suffix in suffixes { call.answer.add("suffix", suffix) }
          for type in types { call.answer.add("mime_type", type) }
        }
      },
      ControlCommand(
        "tagtypes", "[clear|all|enable TAG…|disable TAG…]", 0...ControlCommand.any, [], "lists or selects tags",
        chooseTags),
    ]
  }

  /// The decoders by library or format, with the suffixes and types that `ContentType` recognizes.
  private static let decoders: [(String, [String], [String])] = [
    ("mad", ["mp3", "mp2"], ["audio/mpeg"]), ("faad", ["aac"], ["audio/aac", "audio/aacp"]),
    ("vorbis", ["ogg", "oga"], ["audio/ogg", "audio/vorbis", "application/ogg"]),
    ("opus", ["opus"], ["audio/ogg", "audio/opus"]), ("flac", ["flac"], ["audio/flac", "audio/x-flac"]),
    ("wav", ["wav"], ["audio/wav", "audio/x-wav"]), ("aiff", ["aif", "aiff", "aifc"], ["audio/aiff", "audio/x-aiff"]),
  ]
}

extension StatusCommands {
  private static func addStatus(_ call: inout ControlCall) {
    let (options, queue) = (call.player.options, call.player.queue)
    call.answer.add([
      "volume": call.player.volume.setting, "repeat": options.repeats, "random": options.isRandom,
      "single": options.single.rawValue, "consume": options.consumes, "partition": "default",
      "playlist": queue.version, "playlistlength": queue.count,
    ])
    call.answer.add(figure: "mixrampdb", options.mixRampDecibels)
    call.answer.add("state", word(call.player.state))
    if options.crossfade > 0 { call.answer.add("xfade", options.crossfade) }
    call.answer.add(figure: "mixrampdelay", options.mixRampDelay)
    addStation(&call, "song", "songid", call.player.current)
    if call.player.state != .stopped { addPlayback(&call, call.player.status) }
    call.answer.add("error", call.player.trouble)
    addStation(&call, "nextsong", "nextsongid", call.player.current == nil ? nil : call.player.following)
  }

  private static func addStation(_ call: inout ControlCall, _ position: String, _ id: String, _ station: QueuedStation?)
  {
    guard let station else { return }
    call.answer.add([position: call.player.queue.position(of: station.id), id: station.id])
  }

  private static func addPlayback(_ call: inout ControlCall, _ status: RadioStatus) {
    let (elapsed, duration) = (status.elapsed, status.span)
    let time = "\(Int(elapsed.rounded())):\(Int((duration ?? 0).rounded()))"
    let bitRate = (status.measuredBitRate?.bitsPerSecond ?? status.facts?.toldBitRate).map { ($0 + 500) / 1_000 }
    call.answer.add(["time": time, "elapsed": elapsed, "bitrate": bitRate, "duration": duration])
    if let info = call.player.info {
      call.answer.add("audio", "\(info.sampleRate):\(call.player.meter.sampleBits):\(info.channels)")
    }
  }

  private static func word(_ state: RadioState) -> String {
    switch state {
    case .stopped: "stop"
    case .paused: "pause"
    case .connecting, .buffering, .playing: "play"
    }
  }

  private static func chooseTags(_ call: inout ControlCall) throws(ControlRefusal) {
    let rest = call.arguments.dropFirst()
    switch call.arguments.first {
    case nil:
      for tag in MpdTag.allCases where call.client.tags.contains(tag) { call.answer.add("tagtype", tag.rawValue) }
    case "clear", "all":
      guard rest.isEmpty else { throw ControlRefusal(.argument, "Too many arguments") }
      call.client.choose(tags: call.arguments.first == "all" ? Set(MpdTag.allCases) : [])
    case "enable", "disable":
      guard !rest.isEmpty else { throw ControlRefusal(.argument, "Not enough arguments") }
      let isKnown = rest.allSatisfy { MpdTag(named: $0) != nil || SongFilter.mpdTags.contains($0.lowercased()) }
      guard isKnown else { throw ControlRefusal(.argument, "Unknown tag type") }
      let tags = rest.compactMap { MpdTag(named: $0) }
      let chosen = call.client.tags
      call.client.choose(tags: call.arguments.first == "enable" ? chosen.union(tags) : chosen.subtracting(tags))
    default: throw ControlRefusal(.argument, "Unknown sub command")
    }
  }
}
