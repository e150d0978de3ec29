import Control

enum RelocationCommands {
  /// Returns the commands. `box` must outlive them.
  static func rows(_ box: any BoxControls) -> [ControlCommand] {
    [
      ControlCommand(
        "radio_relocate", "[accept|refuse [NAME]]", 0...2, .admin,
        "lists the presets that may have moved, or accepts or refuses a new address"
      ) { [unowned box] call throws(ControlRefusal) in
        let asked = box.relocation.questions
        guard let word = call[0] else { return list(asked, &call) }
        guard ["accept", "refuse"].contains(word) else {
          throw ControlRefusal(.argument, "There is no \(word); there are accept and refuse")
        }
        let preset = try preset(call[1], asked, box.presets)
        try box.mover.apply(word == "accept" ? .accept : .refuse, of: preset.name, call.player)
      }
    ]
  }

  private static func list(_ asked: [RelocationController.OpenQuestion], _ call: inout ControlCall) {
    for preset in asked {
      let address = preset.question.url.description
      call.recordDirectoryAddress(address)
      call.answer.add([
        "preset": preset.name, "url": preset.url.description, "new_url": address,
        "new_name": preset.question.name, "directory_id": preset.question.directoryID,
      ])
    }
  }

  /// Returns the preset with a name or number; without a text, the only preset with a question.
  private static func preset(
    _ text: String?, _ asked: [RelocationController.OpenQuestion], _ presets: PresetController
  ) throws(ControlRefusal) -> RelocationController.OpenQuestion {
    guard let text else {
      guard let first = asked.first else { throw ControlRefusal(.notFound, "No preset has moved") }
      guard asked.count == 1 else {
        let names = asked.map(\.name).joined(separator: ", ")
        throw ControlRefusal(.argument, "Say which preset; \(names) may have moved")
      }
      return first
    }
    let name = try presets.name(of: text)
    guard let preset = asked.first(where: { $0.name == name }) else {
      throw ControlRefusal(.notFound, "There is no new address for \(name)")
    }
    return preset
  }
}
