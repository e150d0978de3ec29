import ArgumentParser
import Framing
import Settings

enum SubcommandCheck {
  /// Returns a sentence about the first unknown subcommand; nil if all exist, or if an option precedes them.
  static func problem(with words: some Sequence<String>, of root: any ParsableCommand.Type) -> String? {
    var (command, path) = (root, root._commandName)
    for word in words {
      let known = command.configuration.subcommands
      guard !known.isEmpty, !word.hasPrefix("-") else { return nil }
      // "help" accepts a subcommand's name.
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
