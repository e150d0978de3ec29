import RadioEngine

enum PlaybackCommands {
  static var rows: [ControlCommand] {
    [
      ControlCommand("play", "[POSITION]", 0...1, .player, "plays a station, or resumes") {
        call throws(ControlRefusal) in
        let position = call.arguments.isEmpty ? -1 : try call.integer(0, in: -Int(Int32.max)...Int(Int32.max))
        if position == -1 {
          call.player.play()
        } else if !call.player.play(position) {
          throw .badIndex
        }
      },
      ControlCommand("playid", "[ID]", 0...1, .player, "plays the station with an id, or resumes") {
        call throws(ControlRefusal) in
        let id = call.arguments.isEmpty ? -1 : try call.integer(0, in: -1...Int(Int32.max))
        if id == -1 {
          call.player.play()
        } else if !call.player.play(id: id) {
          throw .noSong
        }
      },
      ControlCommand("pause", "[0|1]", 0...1, .player, "pauses, resumes, or toggles") {
        call throws(ControlRefusal) in
        let isPaused = call.player.state == .paused
        let wish = call.arguments.isEmpty ? !isPaused : try call.flag(0)
        // A pause while stopped matters too: it cancels a planned retry.
        guard wish || call.player.state != .stopped else { return }
        if wish { call.player.pause() } else { call.player.resume() }
      },
      ControlCommand("stop", .player, "stops and disconnects") { $0.player.stop() },
      ControlCommand("next", .player, "plays the next station, or the next item of a podcast or a list") {
        call throws(ControlRefusal) in
        if !call.player.hasGivenUp { try call.mustPlay() }
        call.player.next()
      },
      ControlCommand("previous", .player, "plays the previous station, or the previous item of a podcast or a list") {
        call throws(ControlRefusal) in
        if !call.player.hasGivenUp { try call.mustPlay() }
        call.player.previous()
      },
      ControlCommand("seek", "POSITION SECONDS", 2...2, .player, "seeks in a file; time shift in a live station") {
        call throws(ControlRefusal) in
        let position = try call.integer(0)
        let moment = try call.time(1)
        guard let station = call.player.queue[position] else { throw .badIndex }
        if station.id == call.player.currentID { try call.mustReach(moment) }
        call.player.seek(id: station.id, to: moment)
      },
      ControlCommand("seekid", "ID SECONDS", 2...2, .player, "does the same for the station with an id") {
        call throws(ControlRefusal) in
        let id = try call.integer(0)
        let moment = try call.time(1)
        if id == call.player.currentID { try call.mustReach(moment) }
        guard call.player.seek(id: id, to: moment) else { throw .noSong }
      },
      ControlCommand(
        "seekcur", "[+|-]SECONDS", 1...1, .player, "seeks in the buffer, to a position or relative to the current one"
      ) {
        call throws(ControlRefusal) in
        let isRelative = call.arguments[0].hasPrefix("+") || call.arguments[0].hasPrefix("-")
        let seconds = isRelative ? try call.figure(0) : try call.time(0)
        try call.mustPlay()
        if isRelative {
          call.player.position.forward(by: max(-1e9, min(1e9, seconds)))
        } else {
          try call.mustReach(seconds)
          call.player.position.seek(to: seconds)
        }
      },
    ]
  }
}

extension ControlCommand {
  init(_ name: String, _ permission: Permission, _ summary: String, _ work: @escaping Work) {
    self.init(name, "", 0...0, permission, summary, work)
  }

  /// Creates a command that checks its argument count and then refuses; `commands` does not list it.
  static func off(
    _ name: String, _ usage: String, _ arity: ClosedRange<Int>, _ permission: Permission, _ refusal: ControlRefusal
  ) -> ControlCommand {
    ControlCommand(name, usage, arity, permission, "refused: \(refusal.message)") { _ throws(ControlRefusal) in
      throw refusal
    }.unlisted
  }
}

extension ControlCall {
  func mustReach(_ seconds: Double) throws(ControlRefusal) {
    guard player.position.reaches(seconds) else {
      throw ControlRefusal(.system, "Not seekable: its server sends it once")
    }
  }

  func mustPlay() throws(ControlRefusal) {
    if player.state == .stopped { throw .notPlaying }
  }
}
