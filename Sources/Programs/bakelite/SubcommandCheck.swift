import ArgumentParser
import Framing
import Settings

/// Looks for a subcommand that does not exist, to suggest the one that was meant.
enum SubcommandCheck {
  /// A sentence about the first word that is no subcommand; nil if the subcommands exist or an option comes first.
  static func problem(with words: some Sequence<String>, of root: any ParsableCommand.Type) -> String? {
    var (command, path) = (root, root._commandName)
    for word in words {
      let known = command.configuration.subcommands
      guard !known.isEmpty, !word.hasPrefix("-") else { return nil }
      // "help" takes the names of a subcommand.
      if word == "help" { continue }
      guard let next = known.first(where: { $0._commandName == word }) else {
        let near = SpellingSuggestion.nearest(to: word, of: known.map { $0._commandName })
        let hint = near.map { "did you mean \(path) \($0)?" } ?? "\(path) --help lists the subcommands."
        return "There is no subcommand \(path) \(DisplayText.clean(word, characterLimit: 60)); \(hint)"
      }
      (command, path) = (next, "\(path) \(word)")
    }
    return nil
  }
}
