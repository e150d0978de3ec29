import ArgumentParser

/// `bakelite probe`: what is at an address.
struct ProbeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "probe", abstract: "Tell what is at an address.")
  @Argument var url: String
  func run() throws {}
}
