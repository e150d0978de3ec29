enum ApiTable {
  static let rows: [ApiRow] = own + playing + stations + RecordingRows.all + house

  private static var own: [ApiRow] {
    [
      ApiRow(.get, "/api/session", access: .open, .own(.session)),
      ApiRow(.post, "/api/login", access: .open, body: [ApiKey("password", .text(1_024))], .own(.login)),
      ApiRow(.post, "/api/logout", .own(.logout)),
      ApiRow(.get, "/api/status", .own(.status)),
      ApiRow(.get, "/api/events", .own(.events)),
      ApiRow(.get, "/api/openapi.json", access: .open, .own(.document)),
      ApiRow(.get, "/health", access: .open, .own(.health)),
      ApiRow(.get, "/metrics", access: .open, .own(.metrics)),
    ]
  }

  private static let seconds = -864_000.0...864_000.0

  private static var playing: [ApiRow] {
    [
      ApiRow(.post, "/api/play", .command("play")), ApiRow(.post, "/api/pause", .command("pause", "1")),
      ApiRow(
        .post, "/api/toggle",
        .radio({ (_, context) throws(ApiFault) in [RadioCommand(context.isStopped ? "play" : "pause")] }, .done)),
      ApiRow(.post, "/api/stop", .command("stop")),
      ApiRow(
        .post, "/api/power", body: [ApiKey("on", .flag)],
        .radio(
          { (given, _) throws(ApiFault) in [RadioCommand("radio_power", given.flag("on") == true ? "on" : "off")] },
          .done)),
      ApiRow(.post, "/api/sleep", body: [ApiKey("minutes", .whole(0...1_440))], .command("radio_sleep", "{minutes}")),
      ApiRow(.post, "/api/next", .command("next")),
      ApiRow(.post, "/api/previous", .command("previous")), ApiRow(.post, "/api/live", .command("radio_live")),
      ApiRow(.post, "/api/oldest", .command("radio_oldest")), ApiRow(.post, "/api/resume", .command("radio_resume")),
      ApiRow(.post, "/api/record/stop", .command("radio_record", "stop")),
      ApiRow(
        .post, "/api/seek",
        body: [
          ApiKey("to", .number(0...seconds.upperBound), isNeeded: false),
          ApiKey("by", .number(seconds), isNeeded: false),
        ], .radio(seek, .done)),
      ApiRow(
        .post, "/api/volume", body: [ApiKey("volume", .whole(0...100))], .command("setvol", "{volume}")),
      ApiRow(
        .post, "/api/mute", body: [ApiKey("muted", .flag)],
        .radio(
          { (given, _) throws(ApiFault) in
            [RadioCommand(given.flag("muted") == true ? "disableoutput" : "enableoutput", "0")]
          }, .done)),
      ApiRow(
        .post, "/api/keep", body: [ApiKey("song", .word(["current", "previous"]), isNeeded: false)],
        .radio(keep, .object)),
      ApiRow(.post, "/api/record", body: [ApiKey("name", .text(200))], .radio(record, .done)),
    ]
  }

  private static let seek: ApiRow.Commands = { (given, _) throws(ApiFault) in
    switch (given["to"], given["by"]) {
    case (.number(let seconds)?, nil): [RadioCommand("seekcur", ApiValue.plain(seconds))]
    case (nil, .number(let seconds)?): [RadioCommand("seekcur", (seconds < 0 ? "" : "+") + ApiValue.plain(seconds))]
    default: throw .argument("Give either \"to\" or \"by\".")
    }
  }

  private static let keep: ApiRow.Commands = { (given, _) throws(ApiFault) in
    [RadioCommand("radio_keep", given.word("song") ?? "current")]
  }

  /// Allows only a name in the recordings folder; only the radio's own socket allows any path.
  private static let record: ApiRow.Commands = { (given, _) throws(ApiFault) in
    let name = given.word("name") ?? ""
    guard !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else {
      throw .argument("\"name\" is a file's name within the recordings folder.")
    }
    return [RadioCommand("radio_record", "start", name)]
  }

  private static var stations: [ApiRow] {
    let find: ApiRow.Commands = { (given, _) throws(ApiFault) in
      let from = given.whole("from") ?? 0
      guard let words = given.word("words"), words.contains(where: { !$0.isWhitespace }) else {
        throw .argument("\"words\" is empty.")
      }
      return [RadioCommand("radio_find", words, "window", "\(from):\(from + 20)")]
    }
    let episodes: ApiRow.Commands = { (given, _) throws(ApiFault) in
      let from = given.whole("from") ?? 0
      return [RadioCommand("radio_episodes", "\(from):\(from + 100)")]
    }
    let from = ApiKey("from", .whole(0...1_000_000), isNeeded: false)
    let lists = ["near", "popular", "genres", "countries", "genre", "country"]
    return PresetRows.all + [
      ApiRow(.get, "/api/directory", .command("radio_directory", shape: .object)),
      ApiRow(.post, "/api/directory", .command("radio_directory", "update", shape: .object)),
      ApiRow(
        .get, "/api/browse", query: [ApiKey("list", .word(lists)), ApiKey("name", .text(400), isNeeded: false), from],
        .radio(browse, .listed)),
      ApiRow(
        .post, "/api/tune",
        body: [
          ApiKey("station", .station, isNeeded: false), ApiKey("found", .text(4_096), isNeeded: false),
          ApiKey("source", .text(4_096), isNeeded: false), ApiKey("name", .text(400), isNeeded: false),
        ], .radio(tune, .done)),
      ApiRow(.get, "/api/find", query: [ApiKey("words", .text(400)), from], .radio(find, .found)),
      ApiRow(.get, "/api/episodes", query: [from], .radio(episodes, .list("episodes"))),
      ApiRow(
        .post, "/api/episode", body: [ApiKey("number", .whole(1...1_000_000))],
        .command("radio_episode", "{number}")),
    ]
  }

  private static let browse: ApiRow.Commands = { (given, _) throws(ApiFault) in
    let (list, name, from) = (given.word("list") ?? "", given.word("name"), given.whole("from") ?? 0)
    let isNamed = ["genre", "country"].contains(list)
    guard isNamed == (name?.isEmpty == false) else {
      throw .argument("\"name\" is for the lists genre and country, which need it.")
    }
    let page = ["genres", "countries"].contains(list) ? 1_000 : 20
    return [RadioCommand(["radio_browse", list] + (name.map { [$0] } ?? []) + ["window", "\(from):\(from + page)"])]
  }

  private static let tune: ApiRow.Commands = { (given, _) throws(ApiFault) in
    if let station = given.word("station") {
      guard given["found"] == nil else { throw .argument("Give either \"station\" or \"found\".") }
      return [RadioCommand("radio_tune", station)]
    }
    guard let found = given.word("found"), let source = given.word("source") else {
      throw .argument("Give \"station\", or \"found\", \"source\" and \"name\".")
    }
    return [RadioCommand("radio_tune_found", found, source, given.word("name") ?? "")]
  }

  private static var house: [ApiRow] {
    [
      ApiRow(.get, "/api/rooms", .command("radio_room", shape: .list("rooms"))),
      ApiRow(
        .patch, "/api/rooms/{number}",
        body: [ApiKey("volume", .whole(0...100), isNeeded: false), ApiKey("muted", .flag, isNeeded: false)],
        .radio(setRoom, .done)),
      ApiRow(.get, "/api/settings", .command("radio_setting", "list", shape: .list("settings"))),
      ApiRow(
        .put, "/api/settings/{key}", body: [ApiKey("value", .any)],
        .command("radio_setting", "{}", "{value}", shape: .setting)),
      ApiRow(.delete, "/api/settings/{key}", .command("radio_setting", "{}", "reset", shape: .setting)),
      ApiRow(.get, "/api/moved", .command("radio_relocate", shape: .list("moved"))),
      ApiRow(
        .post, "/api/moved", body: [ApiKey("preset", .text(400)), ApiKey("accept", .flag)],
        .radio(
          { (given, _) throws(ApiFault) in
            let word = given.flag("accept") == true ? "accept" : "refuse"
            return [RadioCommand("radio_relocate", word, given.word("preset") ?? "")]
          }, .done)),
      ApiRow(.get, "/api/display", .command("radio_display", shape: .display)),
    ]
  }

  private static let setRoom: ApiRow.Commands = { (given, _) throws(ApiFault) in
    var commands: [RadioCommand] = []
    if let volume = given.word("volume") { commands.append(RadioCommand("radio_room", given.place, volume)) }
    if let isMuted = given.flag("muted") {
      commands.append(RadioCommand("radio_room", given.place, isMuted ? "mute" : "unmute"))
    }
    guard !commands.isEmpty else { throw .argument("Give \"volume\" or \"muted\".") }
    return commands
  }
}
