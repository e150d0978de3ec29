import Units

/// The recent results of the presets, and questions about moved stations (G5). Times are seconds since 1970. Callers
/// must not record results before the clock is set.
public struct PresetHealth: Equatable, Sendable {
  /// Maximum number of records. Above it, the record with the oldest change is dropped.
  public static let maxCount = 300

  /// Maximum length in bytes of the address in a question.
  public static let maxAddressLength = 1_000

  /// All records. The record with the newest change is first.
  public private(set) var records: [PresetRecord] = []

  /// Creates an empty list.
  public init() {}

  /// The record of a preset's address; nil if unknown.
  public subscript(url: StationAddress) -> PresetRecord? {
    let key = PresetRecord.key(url)
    return records.first { $0.key == key }
  }

  /// Records a failure of a preset. Call it only if this box's own network worked.
  public mutating func recordFailure(of url: StationAddress, _ cause: PresetRecord.Cause, at now: Int64) {
    change(url) { $0.fail(cause, at: now) }
  }

  /// Records that a preset plays, which clears its failures.
  public mutating func recordSuccess(of url: StationAddress, at now: Int64) { change(url) { $0.succeed(at: now) } }

  /// Stores the directory's id and homepage of a playing preset. The two values identify the station after a move.
  public mutating func identify(_ url: StationAddress, directoryID: String, homepage: String) {
    change(url) { ($0.directoryID, $0.homepage) = (Self.cut(directoryID), Self.cut(homepage)) }
  }

  /// Records a look-up that found no other working address for a preset.
  public mutating func recordLookUp(of url: StationAddress, at now: Int64) {
    change(url) { ($0.lookedUp, $0.question) = (now, nil) }
  }

  /// Stores a question to the owner about a moved preset. The previous question is dropped. A question with an address
  /// above `maxAddressLength` is ignored.
  public mutating func ask(_ question: PresetRecord.Question, of url: StationAddress, at now: Int64) {
    guard question.url.byteCount <= Self.maxAddressLength else { return }
    var question = question
    (question.name, question.directoryID) = (Self.cut(question.name), Self.cut(question.directoryID))
    change(url) { ($0.question, $0.lookedUp) = (question, now) }
  }

  /// Records the owner's refusal, so that the question is not repeated.
  public mutating func refuse(_ url: StationAddress) { change(url) { $0.refuse() } }

  /// Replaces a preset's address with an address from the directory. Also stores the station's id and homepage there. A
  /// known homepage and earlier refusals stay.
  public mutating func move(_ url: StationAddress, to new: StationAddress, directoryID: String, homepage: String?) {
    let refused = self[url]?.refused ?? []
    let homepage = self[url]?.homepage ?? homepage
    let key = PresetRecord.key(url)
    records.removeAll { $0.key == key }
    change(new) { record in
      (record.failures, record.question, record.lookedUp) = (nil, nil, nil)
      record.refused = refused.filter { $0 != PresetRecord.key(new) }
    }
    // Without a homepage, no id is stored. The radio then looks up both while the preset plays.
    if let homepage { identify(new, directoryID: directoryID, homepage: homepage) }
  }

  private mutating func change(_ url: StationAddress, _ body: (inout PresetRecord) -> Void) {
    let key = PresetRecord.key(url)
    var record = records.first { $0.key == key } ?? PresetRecord(key: key)
    body(&record)
    records.removeAll { $0.key == key }
    records.insert(record, at: 0)
    if records.count > Self.maxCount { records.removeLast() }
  }

  mutating func append(_ record: PresetRecord) { if records.count < Self.maxCount { records.append(record) } }

  private static func cut(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(maxTextLength)))
  }

  private static let maxTextLength = 200
}
