import PanelWords

/// All that the display says, in one language.
///
/// Each language is a type in a file of its own, so that the compiler finds what one of them lacks. The shortest form
/// of a text fits its place on 16 columns; `DisplayTextTests` holds that.
protocol DisplayTexts: Sendable {
  /// How far the box is after power on: 10 columns beside the bar.
  func stage(_ stage: BootStage) -> FittedText
  /// The day, without the time.
  func date(_ clock: WallClock) -> FittedText

  // MARK: What plays

  var stopped: FittedText { get }
  var connecting: FittedText { get }
  /// Before the sound begins; `progress` is such as "4/10 s", nil where it is not known.
  func buffering(_ progress: String?) -> FittedText
  /// What another program that has the sound does, by its name; "" where it told none.
  func plays(_ guest: String) -> FittedText
  /// Stands in the corner while the sound is muted: 5 columns.
  var muteMark: String { get }
  /// Stands there while the volume is 0: 5 columns.
  var silentMark: String { get }
  var volume: FittedText { get }
  var muted: FittedText { get }
  /// The level's peak, before two numbers: 4 columns.
  var peak: FittedText { get }

  // MARK: Time

  var position: FittedText { get }
  var timeShift: FittedText { get }
  /// How long a file is.
  func length(_ time: String) -> FittedText
  /// How much is held of a live station.
  func held(_ time: String) -> FittedText
  /// How far one can go back, and the most that can be held; nil while that is not known.
  func rewindable(_ time: String, of most: String?) -> FittedText
  /// How long the sound goes on by itself; `isHeard` while it does.
  func buffered(_ time: String, isHeard: Bool) -> FittedText

  // MARK: Recording

  var recording: FittedText { get }
  /// How long was recorded.
  func recorded(_ time: String) -> FittedText
  /// How long a recording can go on.
  func room(_ time: String) -> FittedText
  /// The same where it stands beside the time that was recorded.
  func roomLeft(_ time: String) -> FittedText

  // MARK: The menu

  /// An entry of the menu: 15 columns where it has no value, else what its values leave.
  func label(_ item: Menu.Item) -> FittedText
  /// A value of an entry.
  func value(_ setting: PanelSetting) -> FittedText
  /// In how many minutes it stops; nil: it does not.
  func sleep(_ minutes: Int?) -> FittedText
  /// What the knob turns.
  func knob(_ mode: KnobMode) -> FittedText
  var off: FittedText { get }
  var yes: FittedText { get }
  var no: FittedText { get }
  var noStation: FittedText { get }
  var noNetwork: FittedText { get }
  /// How much is received and not heard yet.
  func buffer(_ time: String) -> FittedText

  // MARK: Questions

  /// Whether the station of a preset has another address now, by the preset's name.
  func moved(_ preset: String) -> FittedText
  /// An answer to that; all three have 14 columns on a display of 20, their last forms 10 on one of 16.
  func answer(_ answer: PanelAnswer) -> FittedText

  // MARK: The web panel

  /// By which one signs in: 8 letters and digits.
  func code(_ code: String) -> FittedText

  // MARK: The station directory

  /// A list, where its rows do not say so: 15 columns.
  func find(_ list: FindList) -> FittedText
  /// Stands above the countries where the box does not know in which it is; 4-row displays have it.
  var asksCountry: FittedText { get }
  /// Opens the names that begin with the letters that were chosen: 9 columns, since a number follows.
  var allNames: FittedText { get }
  /// Takes back the last letter.
  var letterBack: FittedText { get }
  /// Stands for a station's name of which the display can write nothing, by its place from 1.
  func unwritable(_ place: Int) -> FittedText
  /// Why no list is shown, and what to do.
  func directory(_ answer: FindAnswer?) -> FaultText

  // MARK: Faults and notices

  /// What is wrong, and what the radio does about it, or who can.
  func fault(_ fault: PanelFault) -> FaultText
  /// What is said for a moment.
  func notice(_ notice: PanelNotice) -> FittedText
}

/// A fault in a person's words.
struct FaultText: Equatable, Sendable {
  /// What is wrong.
  let what: FittedText
  /// What the radio does about it, or who can do something.
  let doing: FittedText

  init(_ what: FittedText, _ doing: FittedText) {
    self.what = what
    self.doing = doing
  }
}

extension DisplayTexts {
  /// The code of an answer, as far as there is room for it.
  func status(_ code: Int) -> Int { max(0, min(code, 999)) }

  /// A try's number, as far as there is room for it.
  func number(_ attempt: Int) -> Int { max(1, min(attempt, 9999)) }
}

extension Language {
  /// What those call it who speak it.
  var ownName: FittedText {
    switch self {
    case .english: ["English", "EN"]
    case .german: ["Deutsch", "DE"]
    }
  }

  /// What the display says in it.
  var texts: any DisplayTexts {
    switch self {
    case .english: EnglishTexts()
    case .german: GermanTexts()
    }
  }
}
