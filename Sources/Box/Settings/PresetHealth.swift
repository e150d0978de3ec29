import Units

/// How the presets came lately, and which of them may have moved (G5). A value that is told the time, in seconds since
/// 1970; while the clock is not set, nothing is to be told.
public struct PresetHealth: Equatable, Sendable {
  /// As many presets are known; the one that was tuned to longest ago is forgotten.
  public static let most = 300

  /// Longer addresses are not asked about, in bytes.
  public static let longestAddress = 1_000

  /// All of them, the one that something happened to last first.
  public private(set) var records: [PresetRecord] = []

  /// Nothing is known.
  public init() {}

  /// What is known of the preset of an address; nil: nothing.
  public subscript(url: StationAddress) -> PresetRecord? {
    let key = PresetRecord.key(url)
    return records.first { $0.key == key }
  }

  /// A preset was tried in vain, while this box's own network was well.
  public mutating func noteFailure(of url: StationAddress, _ cause: PresetRecord.Cause, at now: Int64) {
    change(url) { $0.fail(cause, at: now) }
  }

  /// A preset sounds, so that nothing is wrong with its address.
  public mutating func noteSuccess(of url: StationAddress, at now: Int64) { change(url) { $0.succeed(at: now) } }

  /// The directory has the address of a preset that sounds: its id and homepage, by which it is found once it fails.
  public mutating func identify(_ url: StationAddress, directoryID: String, homepage: String) {
    change(url) { ($0.directoryID, $0.homepage) = (Self.cut(directoryID), Self.cut(homepage)) }
  }

  /// The directory was asked for another address of a preset, and has none that sounds.
  public mutating func noteLookUp(of url: StationAddress, at now: Int64) {
    change(url) { ($0.lookedUp, $0.question) = (now, nil) }
  }

  /// The owner is to be asked whether a preset has moved; what he was asked before is forgotten.
  public mutating func ask(_ question: PresetRecord.Question, of url: StationAddress, at now: Int64) {
    guard question.url.byteCount <= Self.longestAddress else { return }
    var question = question
    (question.name, question.directoryID) = (Self.cut(question.name), Self.cut(question.directoryID))
    change(url) { ($0.question, $0.lookedUp) = (question, now) }
  }

  /// The owner refused what he was asked of a preset: he is not asked that again.
  public mutating func refuse(_ url: StationAddress) { change(url) { $0.refuse() } }

  /// A preset has another address from now on, which the directory has under an id with a homepage. The homepage that
  /// was known before stays, and what was refused stays refused.
  public mutating func move(_ url: StationAddress, to new: StationAddress, directoryID: String, homepage: String?) {
    let refused = self[url]?.refused ?? []
    let homepage = self[url]?.homepage ?? homepage
    let key = PresetRecord.key(url)
    records.removeAll { $0.key == key }
    change(new) { record in
      (record.failures, record.question, record.lookedUp) = (nil, nil, nil)
      record.refused = refused.filter { $0 != PresetRecord.key(new) }
    }
    // Else it is looked up while it sounds.
    if let homepage { identify(new, directoryID: directoryID, homepage: homepage) }
  }

  private mutating func change(_ url: StationAddress, _ body: (inout PresetRecord) -> Void) {
    let key = PresetRecord.key(url)
    var record = records.first { $0.key == key } ?? PresetRecord(key: key)
    body(&record)
    records.removeAll { $0.key == key }
    records.insert(record, at: 0)
    if records.count > Self.most { records.removeLast() }
  }

  /// One that was read from a file, older than all before it.
  mutating func append(_ record: PresetRecord) { if records.count < Self.most { records.append(record) } }

  /// What the directory tells may be of any length, and the file may not.
  private static func cut(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestText)))
  }

  private static let longestText = 200
}
