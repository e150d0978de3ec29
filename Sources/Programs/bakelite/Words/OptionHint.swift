/// Names the option that a person meant who typed the option of another command or program.
enum OptionHint {
  /// Returns a message with a hint instead of the library's suggestion, if the message is about a known wrong option.
  /// `words`: the command line without the program.
  static func improve(_ message: String, _ words: some Collection<String>) -> String {
    let start = "Unknown option '"
    let lines = message.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = lines.first, first.hasPrefix(start), let command = words.first else { return message }
    let option = first.dropFirst(start.count).prefix { $0 != "'" }.prefix { $0 != "=" }
    guard let hint = hints[command]?[String(option)] else { return message }
    return "\(start)\(option)'; \(hint)." + lines.dropFirst().map { "\n\($0)" }.joined()
  }

  private static let hints: [String: [String: String]] = [
    "play": [
      "--json": "use --events - for events as lines of JSON", "--log": "use --events PATH for events as lines of JSON",
      "--socket": "use --control SOCKET to serve the control protocol there",
      "--config": "use bakelited to play by a settings file", "--stations": "use bakelited to play a station list",
      "--device": "use --output alsa:DEVICE", "--alsa": "use --output alsa:DEVICE", "--null": "use --output null",
      "--raw": "use --output raw:PATH", "--wav": "use --output wav:PATH", "-o": "use --output",
      "--volume": "use --gain with a value in dB", "--buffer": "use --buffer-wait or --buffer-blocks",
      "--timeout": "use --data-timeout", "--seek": "use --start", "--from": "use --start", "--length": "use --duration",
      "--rate": "use --format, such as s16le/44100/2", "--password": "use --user NAME:PASSWORD",
      "--timezone": "use --station-time-zone", "--name": "use --user NAME:PASSWORD",
    ],
    "probe": [
      "--events": "use --json", "--output": "use bakelite play to hear the station",
      "--timeout": "use --data-timeout", "--password": "use --user NAME:PASSWORD",
    ],
    "find": [
      "--stations": "use --config FILE, which names the copy of the directory", "--count": "use --limit",
      "--events": "use --json", "--genre": "use --tag", "--lang": "use --language",
    ],
    "stations": ["--config": "use --stations FILE", "--file": "use --stations FILE", "--path": "use --stations FILE"],
    "doctor": ["--events": "use --json", "--file": "use --config FILE"],
    "panel": ["--control": "use --socket"],
    "station": ["--listen": "use --address and --port", "--host": "use --address"],
    "web": [
      "--port": "use --listen ADDRESS:PORT", "--address": "use --listen ADDRESS:PORT",
      "--host": "use --listen ADDRESS:PORT", "--control": "use --socket", "--password": "use --set-password",
    ],
  ]
}
