enum RadioAnswer: Equatable {
  case success([[AnswerLine]])
  /// The radio refused a command, with MPD's error number and a sentence.
  case refused(code: Int, sentence: String)
  case absent
  case silent

  /// Parses a refusal, `ACK [code@index] {command} sentence`; nil for another line.
  static func refusal(_ line: String) -> RadioAnswer? {
    guard line.hasPrefix("ACK [") else { return nil }
    let code = Int(line.dropFirst("ACK [".count).prefix { $0 != "@" }) ?? 0
    let sentence = line.firstIndex(of: "}").map { line[line.index(after: $0)...].drop { $0 == " " } } ?? line[...]
    return .refused(code: code, sentence: String(sentence))
  }
}
