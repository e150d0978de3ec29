import Radio

/// What tells of the radio in MPD's words.
enum StatusCommands {
  static var rows: [ControlCommand] {
    [
      ControlCommand("status", .read, "tells volume, options, state, and where the listener is") { $0.tellStatus() },
      ControlCommand("stats", .read, "tells how long it has run and played") { call in
        call.answer.add("uptime", Int(call.player.uptime))
        call.answer.add("playtime", Int(call.player.playtime))
      },
      ControlCommand("clearerror", .player, "forgets the last failure") { $0.player.clearFailure() },
      ControlCommand("commands", [], "tells the commands that this client may use") { $0.tellCommands(allowed: true) },
      ControlCommand("notcommands", [], "tells those that it may not") { $0.tellCommands(allowed: false) },
      ControlCommand("config", .admin, "tells nothing; over the Unix socket only") { call throws(ControlRefusal) in
        guard call.session.isLocal else { throw ControlRefusal(.permission, "Command only permitted to local clients") }
      },
      ControlCommand("urlhandlers", .read, "tells what addresses may begin with") { call in
        for handler in ["http://", "https://"] { call.answer.add("handler", handler) }
      },
      ControlCommand("decoders", .read, "tells what is decoded") { call in
        for (plugin, suffixes, types) in Self.decoders {
          call.answer.add("plugin", plugin)
          for suffix in suffixes { call.answer.add("suffix", suffix) }
          for type in types { call.answer.add("mime_type", type) }
        }
      },
      ControlCommand(
        "tagtypes", "[clear|all|enable TAG…|disable TAG…]", 0...ControlCommand.any, [], "tells or chooses tags"
      ) {
        call throws(ControlRefusal) in
        try call.chooseTags()
      },
    ]
  }

  private static let decoders: [(String, [String], [String])] = [
    ("mad", ["mp3", "mp2"], ["audio/mpeg"]), ("faad", ["aac"], ["audio/aac", "audio/aacp"]),
  ]
}

extension ControlCall {
  fileprivate mutating func tellStatus() {
    let (options, queue) = (player.options, player.queue)
    answer.add("volume", volume)
    answer.add("repeat", options.repeats)
    answer.add("random", options.isRandom)
    answer.add("single", options.single.rawValue)
    answer.add("consume", options.consumes)
    answer.add("partition", "default")
    answer.add("playlist", queue.version)
    answer.add("playlistlength", queue.count)
    answer.add(figure: "mixrampdb", options.mixRampDecibels)
    answer.add("state", Self.word(player.state))
    if options.crossfade > 0 { answer.add("xfade", options.crossfade) }
    answer.add(figure: "mixrampdelay", options.mixRampDelay)
    tell("song", "songid", player.current)
    if player.state != .stopped { tellPlaying(player.status) }
    answer.add("error", player.trouble)
    tell("nextsong", "nextsongid", player.current == nil ? nil : player.following)
  }

  private mutating func tell(_ position: String, _ id: String, _ station: QueuedStation?) {
    guard let station else { return }
    answer.add(position, player.queue.position(of: station.id))
    answer.add(id, station.id)
  }

  private mutating func tellPlaying(_ status: RadioStatus) {
    let (elapsed, duration) = (status.elapsed, status.span)
    answer.add("time", "\(Int(elapsed.rounded())):\(Int((duration ?? 0).rounded()))")
    answer.add(seconds: "elapsed", elapsed)
    answer.add(
      "bitrate", (status.measuredBitRate?.bitsPerSecond ?? status.facts?.toldBitRate).map { ($0 + 500) / 1_000 })
    answer.add(seconds: "duration", duration)
    if let info = player.info {
      answer.add("audio", "\(info.sampleRate):\(player.meter.sampleBits):\(info.channels)")
    }
  }

  private static func word(_ state: RadioState) -> String {
    switch state {
    case .stopped: "stop"
    case .paused: "pause"
    case .connecting, .buffering, .playing: "play"
    }
  }

  fileprivate mutating func tellCommands(allowed: Bool) {
    for row in commands.rows where row.isTold && session.may(row) == allowed {
      answer.add("command", row.name)
    }
  }

  fileprivate mutating func chooseTags() throws(ControlRefusal) {
    let rest = arguments.dropFirst()
    switch arguments.first {
    case nil:
      for tag in Tag.allCases where session.tags.contains(tag) { answer.add("tagtype", tag.rawValue) }
    case "clear", "all":
      guard rest.isEmpty else { throw ControlRefusal(.argument, "Too many arguments") }
      session.tags = arguments.first == "all" ? Set(Tag.allCases) : []
    case "enable", "disable":
      guard !rest.isEmpty else { throw ControlRefusal(.argument, "Not enough arguments") }
      let isKnown = rest.allSatisfy { Tag(named: $0) != nil || SongFilter.mpdTags.contains($0.lowercased()) }
      guard isKnown else { throw ControlRefusal(.argument, "Unknown tag type") }
      let tags = rest.compactMap { Tag(named: $0) }
      if arguments.first == "enable" { session.tags.formUnion(tags) } else { session.tags.subtract(tags) }
    default: throw ControlRefusal(.argument, "Unknown sub command")
    }
  }
}
