import ArgumentParser

@main
struct Bakelite: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bakelite", version: "0.1.0",
    subcommands: [
      StationCommand.self
    ])
}
