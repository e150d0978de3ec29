enum PresetRows {
  static var all: [ApiRow] {
    [
      ApiRow(.get, "/api/presets", .command("listplaylistinfo", "Presets", shape: .presets)),
      ApiRow(
        .post, "/api/presets",
        body: [
          ApiKey("name", .text(400), isNeeded: false), ApiKey("url", .text(4_096), isNeeded: false),
          ApiKey("number", .whole(1...9_999), isNeeded: false),
        ], .radio(add, .done)),
      ApiRow(.patch, "/api/presets/{number}", allowsAny: true, .radio(edit, .done)),
      ApiRow(.delete, "/api/presets/{number}", .command("radio_preset", "remove", "{}")),
      ApiRow(
        .post, "/api/presets/{number}/move", body: [ApiKey("number", .whole(1...9_999))],
        .command("radio_preset", "move", "{}", "{number}")),
    ]
  }

  /// Creates the command that adds a preset; without values, the radio adds the current station.
  private static let add: ApiRow.Commands = { (given, _) throws(ApiFault) in
    if given.values.isEmpty { return [RadioCommand("radio_preset", "add")] }
    guard let name = given.word("name"), let url = given.word("url") else {
      throw .argument("Send \"name\" and \"url\", or no body to save the current station.")
    }
    return [RadioCommand(["radio_preset", "add", name, url] + (given.word("number").map { [$0] } ?? []))]
  }

  /// Creates a command per key. The name is last, because a new name such as "3" could make the preset's number
  /// ambiguous.
  private static let edit: ApiRow.Commands = { (given, _) throws(ApiFault) in
    guard !given.values.isEmpty else { throw .argument("Send a key of the preset, such as \"name\".") }
    let values = given.values.filter { $0.name != "name" } + given.values.filter { $0.name == "name" }
    return values.map { RadioCommand(["radio_preset", "edit", given.place, $0.name] + $0.value.words) }
  }
}
