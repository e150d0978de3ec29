import ArgumentParser
import CLinux
import Settings
import Units

@main
struct Bakelite: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bakelite",
    abstract: "Play, record and control internet radio.",
    discussion: """
      Exit codes:

        0    done
        1    failed; the error message has the reason and a remedy
        2    invalid command line, settings file or station list
        3    the station refused the request (HTTP status 4xx)
        4    no sound hardware
        130  ended by a second Ctrl-C
        141  SIGPIPE: the program that read standard output has ended
      """,
    version: "bakelite \(Version.text)",
    subcommands: [
      ListenCommand.self, PlayCommand.self, ProbeCommand.self, CtlCommand.self, PanelCommand.self, StationsCommand.self,
      FindCommand.self, RecordingsCommand.self, DoctorCommand.self, StationCommand.self, WifiCommand.self,
      SnapcastCommand.self, AnnounceCommand.self, WebCommand.self,
    ], defaultSubcommand: ListenCommand.self)

  /// Runs the command; wrong use exits with 2 instead of the library's 64.
  static func main() {
    ignoreBrokenPipes()
    bk_share_one_heap()
    if let problem = SubcommandCheck.problem(with: CommandLine.arguments.dropFirst(), of: Self.self) {
      printError(problem)
      quit(.wrongUse)
    }
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let fault as any CommandFault {
      printError(fault.sentence)
      quit(fault.outcome)
    } catch {
      guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
      let message = StationAddress.redacting(fullMessage(for: error))
      // The library starts each message with "Error: " and adds its usage on further lines.
      let text = message.hasPrefix("Error: ") ? String(message.dropFirst("Error: ".count)) : message
      printNote("bakelite: \(OptionHint.improve(text, CommandLine.arguments.dropFirst()))")
      quit(.wrongUse)
    }
  }
}
