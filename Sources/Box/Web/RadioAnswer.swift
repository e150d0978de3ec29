/// What became of commands.
enum RadioAnswer: Equatable {
  /// They were carried out: the lines that each answered.
  case told([[AnswerLine]])
  /// The radio refused one of them: MPD's number of the reason, and a sentence.
  case refused(code: Int, sentence: String)
  /// There is no radio.
  case absent
  /// The radio did not answer in time.
  case silent

  /// The refusal that a line tells, `ACK [code@index] {command} sentence`; nil where it tells none.
  static func refusal(_ line: String) -> RadioAnswer? {
    guard line.hasPrefix("ACK [") else { return nil }
    let code = Int(line.dropFirst("ACK [".count).prefix { $0 != "@" }) ?? 0
    let sentence = line.firstIndex(of: "}").map { line[line.index(after: $0)...].drop { $0 == " " } } ?? line[...]
    return .refused(code: code, sentence: String(sentence))
  }
}
