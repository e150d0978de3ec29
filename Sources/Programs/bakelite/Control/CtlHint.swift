import Control
import Framing
import Settings

/// Suggests corrections for mistyped words of `bakelite ctl`.
enum CtlHint {
  /// Returns the error's sentence, with a suggestion if a known command or preset is similar.
  static func sentence(
    for failure: ControlConnection.Failure, on words: [String], of radio: ControlConnection
  ) -> String {
    let sentence = "\(failure)"
    guard case .refused(let code, _) = failure, let command = words.first else { return sentence }
    if code == 5, CtlCommand.names.contains(command) {
      return "The radio refused: \(DisplayText.line(command)) works with a box only; see bakelite ctl --help."
    }
    let near: String? =
      switch (code, words.count) {
      // ACK_ERROR_UNKNOWN and ACK_ERROR_NO_EXIST of the protocol.
      case (5, _): SpellingSuggestion.nearest(to: command, of: CtlCommand.names)
      case (50, 2) where ["tune", "select", "radio_tune", "radio_select"].contains(command):
        SpellingSuggestion.nearest(to: words[1], of: presets(of: radio))
      default: nil
      }
    guard let near else { return sentence }
    return "\(sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence); did you mean \"\(near)\"?"
  }

  /// Returns the names of a radio's presets; empty if it does not answer.
  static func presets(of radio: ControlConnection) -> [String] {
    let lines = (try? radio.ask(["listplaylistinfo", "Presets"])) ?? []
    return lines.filter { $0.hasPrefix("Name: ") }.map { DisplayText.line(String($0.dropFirst("Name: ".count))) }
  }
}
