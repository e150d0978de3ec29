import ArgumentParser

struct RecordingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recordings",
    abstract: "List, play, rename and delete recordings and kept songs.",
    discussion: """
      Works without a running radio. Numbers are those of the list, newest first; a new recording changes them. The \
      keys "k" and "r" of `bakelite play` save to the same folder: your own, bakelite/recordings in $XDG_DATA_HOME or \
      ~/.local/share. On the box only root may change the folder of the radio: use `sudo bakelite recordings`.
      """,
    subcommands: [
      RecordingsListCommand.self, RecordingsPlayCommand.self, RecordingsRenameCommand.self,
      RecordingsDeleteCommand.self,
      RecordingsPathCommand.self,
    ], defaultSubcommand: RecordingsListCommand.self)
}
