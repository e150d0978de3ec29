import ArgumentParser

struct StationFileOption: ParsableArguments {
  @Option(
    "Use this station file.", value: "file", name: .customLong("stations"), completion: .file(extensions: ["toml"]))
  var stationsPath: String?

  @Option(name: .customLong("file"), help: .hidden, completion: .file(extensions: ["toml"]))
  var formerPath: String?

  @Option(
    "Use this file with the changes made on the box. Default: the box's owner.toml, unless --stations is given.",
    value: "file", name: .customLong("owner"), completion: .file(extensions: ["toml"]))
  var ownerPath: String?

  var path: String? { stationsPath ?? formerPath }

  func validate() throws {
    guard formerPath != nil else { return }
    if stationsPath != nil {
      throw ValidationError("--stations and --file are the same option; use only --stations.")
    }
    printError("--file was renamed to --stations; the old name still works.")
  }
}
