import PanelWords

/// The texts of the display, in one language.
///
/// Each language is a type, so that the compiler finds missing texts. The shortest form of a text fits its place on 16
/// columns; `DisplayTextTests` checks this.
protocol DisplayTexts: Sendable {
  /// The boot stage: 10 columns, next to the bar.
  func stage(_ stage: BootStage) -> FittedText
  func date(_ clock: WallClock) -> FittedText

  // MARK: Playback

  var stopped: FittedText { get }
  var connecting: FittedText { get }

  /// Before playback; `progress` is such as "4/10 s", nil if unknown.
  func buffering(_ progress: String?) -> FittedText
  /// The state while another program uses the sound card, by its name; "" if unknown.
  func plays(_ guest: String) -> FittedText
  /// The replaced station or the other address, since when, why, and the next attempt: one sentence of any length.
  func instead(_ source: PanelSource) -> String
  /// The name of the tone, in place of a station's name: 11 columns.
  var tone: FittedText { get }
  /// The corner mark while muted: 5 columns.
  var muteMark: String { get }
  /// The corner mark at volume 0: 5 columns.
  var silentMark: String { get }
  var volume: FittedText { get }
  var muted: FittedText { get }
  /// The label of the peak level, before two numbers: 4 columns.
  var peak: FittedText { get }

  // MARK: Time

  var position: FittedText { get }
  var timeShift: FittedText { get }

  func length(_ time: String) -> FittedText
  func held(_ time: String) -> FittedText
  /// The time available for a rewind, and its maximum; nil if unknown.
  func rewindable(_ time: String, of most: String?) -> FittedText
  /// The remaining buffer; `isHeard`: true while it plays without a connection.
  func buffered(_ time: String, isHeard: Bool) -> FittedText

  // MARK: Recording

  var recording: FittedText { get }

  func recorded(_ time: String) -> FittedText
  func room(_ time: String) -> FittedText
  func roomLeft(_ time: String) -> FittedText

  // MARK: The menu

  /// An entry of the menu: 15 columns without a value, else the space that its values leave.
  func label(_ item: MenuItem) -> FittedText
  func value(_ setting: PanelSetting) -> FittedText
  /// The minutes of the sleep timer; nil if off.
  func sleep(_ minutes: Int?) -> FittedText
  var off: FittedText { get }
  var yes: FittedText { get }
  var no: FittedText { get }
  var noStation: FittedText { get }
  var noNetwork: FittedText { get }

  func buffer(_ time: String) -> FittedText

  // MARK: Questions

  /// The question if a preset's station has moved, by the preset's name.
  func moved(_ preset: String) -> FittedText
  /// The answer to that question: three answers share 14 columns on a display of 20, their last forms 10 on one of 16.
  func answer(_ answer: PanelAnswer) -> FittedText

  // MARK: The recordings

  /// The question before a recording is deleted: 8 columns, before an answer.
  var deletes: FittedText { get }

  /// The reason for a missing list of recordings.
  func shelf(_ shelf: PanelShelf?) -> FaultText

  // MARK: The web panel

  /// The sign-in code: 8 letters and digits.
  func code(_ code: String) -> FittedText

  // MARK: The station directory

  /// The title of a list, if its rows do not name it: 15 columns.
  func find(_ list: FindList) -> FittedText
  /// The title of the country list while the box's country is unknown; only on 4 rows.
  var asksCountry: FittedText { get }
  /// The entry for all names with the chosen letters: 9 columns, before a number.
  var allNames: FittedText { get }
  var letterBack: FittedText { get }

  /// Replaces a station name without writable characters, by its place from 1.
  func unwritable(_ place: Int) -> FittedText
  /// The reason for a missing list, and the remedy.
  func directory(_ answer: FindAnswer?) -> FaultText

  // MARK: Faults and notices

  /// A fault, and the reaction of the radio or a remedy.
  func fault(_ fault: PanelFault) -> FaultText
  func notice(_ notice: PanelNotice) -> FittedText
}

extension DisplayTexts {
  func status(_ code: Int) -> Int { max(0, min(code, 999)) }

  func number(_ attempt: Int) -> Int { max(1, min(attempt, 9999)) }
}
