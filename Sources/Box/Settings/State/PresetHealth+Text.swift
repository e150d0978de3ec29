import Units

/// The file of `PresetHealth`.
package typealias PresetHealthFile = KeptFile<PresetHealth>

extension PresetHealth: KeptContent {
  package static var place: KeptPlace {
    KeptPlace(
      name: "presets", byteLimit: 2 << 20, damage: "its record of the presets is damaged",
      consequence: "failures are counted from zero")
  }

  /// The file's text (`CheckedText`); each preset starts with a `preset` line.
  package var fileText: String { CheckedText.text(Self.format, records.flatMap(Self.lines)) }

  private static func lines(_ record: PresetRecord) -> [String] {
    var lines = ["preset=\(String(record.key, radix: 16))"]
    func add(_ key: String, _ value: String?) { if let value { lines.append("\(key)=\(CheckedText.value(value))") } }
    add("id", record.directoryID)
    add("homepage", record.homepage)
    add("good", record.lastSuccess.map { "\($0)" })
    add("bad", record.failures.map { "\($0.first) \($0.last) \($0.tries) \($0.days) \($0.cause.rawValue)" })
    add("looked", record.lookedUp.map { "\($0)" })
    if !record.refused.isEmpty {
      add("refused", record.refused.map { String($0, radix: 16) }.joined(separator: " "))
    }
    if let question = record.question, let url = CheckedText.value(question.url) {
      lines.append("new_url=\(url)")
      add("new_name", question.name)
      add("new_id", question.directoryID)
    }
    return lines
  }

  package init?(_ bytes: [UInt8]) {
    guard let pairs = CheckedText.pairs(bytes, Self.format, most: 2 + 16 * Self.maxCount) else { return nil }
    self.init()
    var record: PresetRecord?
    for (key, value) in pairs {
      if key == "preset" {
        guard let number = UInt64(value, radix: 16) else { return nil }
        if let record { append(record) }
        record = PresetRecord(key: number)
      } else if record?.readPair(key, value) != true {
        return nil
      }
    }
    if let record { append(record) }
  }

  private static var format: String { "bakelite-presets 1" }
}

extension PresetRecord {
  fileprivate mutating func readPair(_ key: Substring, _ value: String) -> Bool {
    switch key {
    case "id": directoryID = value
    case "homepage": homepage = value
    case "good":
      lastSuccess = Self.moment(value)
      return lastSuccess != nil
    case "bad":
      failures = Failures(value)
      return failures != nil
    case "looked":
      lookedUp = Self.moment(value)
      return lookedUp != nil
    case "refused":
      refused = value.split(separator: " ").prefix(Self.maxRefused).compactMap { UInt64($0, radix: 16) }
    case "new_url": question = Question(url: StationAddress(value), name: "", directoryID: "")
    case "new_name": question?.name = value
    case "new_id": question?.directoryID = value
    // A later version of the format may have more keys.
    default: break
    }
    return true
  }

  /// Parses seconds since 1970, up to the year 9999.
  fileprivate static func moment(_ text: some StringProtocol) -> Int64? {
    Int64(text).flatMap { (0...253_402_300_799).contains($0) ? $0 : nil }
  }
}

extension PresetRecord.Failures {
  fileprivate init?(_ text: String) {
    let words = text.split(separator: " ")
    let counts = 1...PresetRecord.maxCount
    guard words.count == 5, let first = PresetRecord.moment(words[0]), let last = PresetRecord.moment(words[1]),
      first <= last, let tries = Int(words[2]), counts.contains(tries), let days = Int(words[3]),
      counts.contains(days), let cause = PresetRecord.Cause(rawValue: String(words[4]))
    else { return nil }
    self.init(first: first, last: last, tries: tries, days: days, cause: cause)
  }
}
