import PanelWords

struct EnglishTexts: DisplayTexts {
  func stage(_ stage: BootStage) -> FittedText {
    switch stage {
    case .starting: "Starting"
    case .soundCard: "Sound card"
    case .station: "Tuning in"
    }
  }

  func date(_ clock: WallClock) -> FittedText {
    let day = "\(Self.days[clock.weekday]) \(clock.day)"
    let month = Self.months[clock.month - 1]
    return ["\(day) \(month)", "\(day) \(month.prefix(3))"]
  }

  private static let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  // MARK: Playback

  var stopped: FittedText { "Stopped" }
  var connecting: FittedText { "Connecting" }

  func buffering(_ progress: String?) -> FittedText {
    progress.map { ["Buffering \($0)", "Buffer \($0)"] } ?? "Buffering"
  }

  func plays(_ guest: String) -> FittedText { guest.isEmpty ? "Guest plays" : "\(guest) plays" }

  var muteMark: String { "MUTE" }
  var silentMark: String { "VOL 0" }
  var volume: FittedText { ["Volume", "Vol"] }
  var muted: FittedText { ["Muted", "Mute"] }
  var peak: FittedText { "Peak" }

  // MARK: Time

  var position: FittedText { "Position" }
  var timeShift: FittedText { "Time shift" }

  func length(_ time: String) -> FittedText { "of \(time)" }

  func held(_ time: String) -> FittedText { ["\(time) held", "\(time)"] }

  func rewindable(_ time: String, of most: String?) -> FittedText {
    guard let most else { return ["Rewind up to \(time)", "Rewind \(time)"] }
    return [
      "Rewind \(time) / \(most)",
      "Rewind \(time)/\(most)", "Back \(time)/\(most)",
    ]
  }

  func buffered(_ time: String, isHeard: Bool) -> FittedText {
    let forms: [String] = ["\(time) in buffer", "\(time) left"]
    return FittedText(forms: isHeard ? ["\(time) left in buffer"] + forms : forms)
  }

  // MARK: Recording

  var recording: FittedText { "Recording" }

  func recorded(_ time: String) -> FittedText { ["Recording \(time)", "Rec. \(time)"] }

  func room(_ time: String) -> FittedText { ["Room for \(time)", "Room: \(time)"] }

  func roomLeft(_ time: String) -> FittedText { "\(time) left" }

  // MARK: The menu

  func label(_ item: MenuItem) -> FittedText {
    switch item {
    case .episodes: "Episodes"
    case .find: find(.start)
    case .sleep: ["Sleep in", "Sleep"]
    case .record: "Record"
    case .keep: ["Keep this song", "Keep song"]
    case .keepPrevious: ["Keep the last song", "Keep last"]
    case .recordings: "Recordings"
    case .face: ["Display", "Show"]
    case .knob: ["Knob turns", "Knob"]
    case .scrolling: ["Scroll speed", "Scroll"]
    case .idleClock: ["Idle clock", "Clock"]
    case .language: "Language"
    case .keepPreset: ["Keep as preset", "Keep preset"]
    case .movePreset: ["Move this preset", "Move preset"]
    case .removePreset: ["Remove preset", "Remove"]
    case .guest: "Take sound back"
    case .rooms: "Rooms"
    case .moved: ["Station moved?", "Moved?"]
    case .web: "Web panel"
    case .info: "Info"
    case .back: "Back"
    }
  }

  func value(_ setting: PanelSetting) -> FittedText {
    switch setting {
    case .scrollMilliseconds(let milliseconds):
      switch ScrollSpeed(milliseconds: milliseconds) {
      case .slow: "slow"
      case .normal: "normal"
      case .fast: "fast"
      }
    case .idleClock(let isOn), .web(let isOn): isOn ? "on" : "off"
    case .knobMode(let mode): knob(mode)
    case .face(.titles): "titles"
    case .face(.spectrum): "spectrum"
    case .face(.level): "level"
    case .language(let language): language.ownName
    }
  }

  func sleep(_ minutes: Int?) -> FittedText { minutes.map { "\(min($0, 999)) min" } ?? "off" }

  func knob(_ mode: KnobMode) -> FittedText {
    switch mode {
    case .tune: "tune"
    case .volume: "volume"
    case .scrub: "time"
    }
  }

  var off: FittedText { "off" }
  var yes: FittedText { "yes" }
  var no: FittedText { "no" }
  var noStation: FittedText { "No station" }
  var noNetwork: FittedText { "No network" }

  func buffer(_ time: String) -> FittedText { "Buffer \(time)" }

  func code(_ code: String) -> FittedText { "Code: \(code)" }

  // MARK: Questions

  func moved(_ preset: String) -> FittedText { "\(preset) moved?" }

  func answer(_ answer: PanelAnswer) -> FittedText {
    switch answer {
    case .listen: ["listen", "play"]
    case .accept: "yes"
    case .refuse: "no"
    }
  }

  // MARK: Faults and notices

  func fault(_ fault: PanelFault) -> FaultText {
    switch fault {
    case .noNetwork: FaultText("No network", ["Waiting for network", "Waiting for it"])
    case .serverGone(let attempt, let wait): FaultText("Server gone", retry(attempt, wait))
    case .serverDown(let attempt, let wait):
      FaultText(["Connection refused", "Server is down"], retry(attempt, wait))
    case .noAnswer(let attempt, let wait): FaultText(["Server not answering", "No answer"], retry(attempt, wait))
    case .noData(let attempt, let wait): FaultText(["Server sends no data", "No data comes"], retry(attempt, wait))
    case .noNameServer(let attempt, let wait):
      FaultText(["No name server (DNS)", "No name server"], retry(attempt, wait))
    case .proxyFailed(let attempt, let wait): FaultText(["Web proxy failed", "Proxy failed"], retry(attempt, wait))
    case .stationNotFound(let wait): FaultText(["Station not found", "Not found"], retry(wait))
    case .passwordNeeded:
      FaultText(["Needs name, password", "Needs password"], ["Set user in the list", "Set user in list"])
    case .refused(let code, let wait):
      FaultText(["Server refuses (\(status(code)))", "Refused (\(status(code)))"], retry(wait))
    case .serverBusy(503, let wait): FaultText(["Server is busy (503)", "Server is busy"], retry(wait))
    case .serverBusy(let code, let wait): FaultText(["Server error (\(status(code)))", "Server error"], retry(wait))
    case .badPlaylist: FaultText("Bad playlist", checkAddress)
    case .badAnswer: FaultText("Unknown answer", checkAddress)
    case .notAudio: FaultText(["Not an audio stream", "No audio stream"], ["Try another station", "Try another"])
    case .webPage: FaultText(["A web page, no sound", "A web page"], checkAddress)
    case .notPlayable(let kind):
      FaultText(
        ["\(kind.prefix(7)) not playable", "\(kind.prefix(7)): not yet"], ["Try another station", "Try another"])
    case .badAddress: FaultText(["Bad web address", "Bad address"], ["Fix the station list", "Fix the list"])
    case .noStations: FaultText(["No stations yet", "No stations"], ["Add one to the list", "Add one"])
    case .soundCardMissing: FaultText("No sound card", "Looking for it")
    case .soundCardBusy: FaultText("Sound card busy", ["Waiting for its turn", "Waiting for it"])
    case .pipeUnread: FaultText(["Pipe has no reader", "Pipe not read"], ["Waiting for a reader", "Waiting for it"])
    case .outputFailed: FaultText(["Sound output failed", "Output failed"], "Trying again")
    case .waitingForClock:
      FaultText(["The clock is not set", "Clock is not set"], ["Waiting for the time", "Waiting for time"])
    case .badCertificate: FaultText("Bad certificate", "Not trusted")
    case .noSecureConnection: FaultText(["No secure connection", "No encryption"], checkAddress)
    case .fileUnreadable: FaultText(["File cannot be read", "File unreadable"], "Check the file")
    case .fileChanged: FaultText(["The file has changed", "File changed"], "Play it again")
    case .snapserverGone: FaultText(["Snapserver is gone", "Snapserver gone"], "Looking for it")
    case .snapserverStrange: FaultText("Not a snapserver", ["Check the settings", "Check settings"])
    case .snapclientGone: FaultText(["Snapclient is gone", "Snapclient gone"], "Waiting for it")
    case .internalFault: FaultText(["The radio failed", "Radio failed"], "See its journal")
    }
  }

  private var checkAddress: FittedText { ["Check the address", "Check address"] }

  private func retry(_ attempt: Int, _ wait: Int?) -> FittedText {
    guard let time = DurationText.wait(wait) else { return "Retry \(number(attempt)) now" }
    return ["Retry \(number(attempt)) in \(time)", "Retry in \(time)"]
  }

  private func retry(_ wait: Int?) -> FittedText { DurationText.wait(wait).map { "Retry in \($0)" } ?? "Trying again" }

  func notice(_ notice: PanelNotice) -> FittedText {
    switch notice {
    case .noStations: "No stations"
    case .noPreset(let number): "No preset \(number)"
    case .nothingPlays: "Nothing plays"
    case .knob(let mode): FittedText(forms: knob(mode).forms.map { "Knob: \($0)" })
    case .alarm(let time): "Alarm \(time)"
    case .alarmSnoozed(let minutes): "Snooze \(minutes) min"
    case .alarmStopped: "Alarm stopped"
    case .sleep(let minutes): minutes.map { "Sleep in \($0) min" } ?? "Sleep timer off"
    case .recordingEnded: "Recorded"
    case .recordingFailed: "Recording failed"
    case .recordingsFull: "Recordings full"
    case .alreadyRecording: ["Already recording", "Recording runs"]
    case .recordingGrowing: ["Still being recorded", "Still recording"]
    case .recordingNotDeleted: "Not deleted"
    case .diskBusy: ["The disk is busy", "Disk is busy"]
    case .songKept(let title): "Kept: \(title)"
    case .songNotKept: "Song not kept"
    case .songKeptAlready: "Already kept"
    case .songGone: ["Song not in buffer", "Song is gone"]
    case .noTitle: "No title yet"
    case .noEarlierTitle: "No earlier title"
    case .preset(let number, let name): "Preset \(number): \(name)"
    case .presetRelocated(let name): "New address: \(name)"
    case .presetRemoved(let name): "Removed: \(name)"
    case .failedOver(let name): name.map { "Fallback: \($0)" } ?? "No station: tone"
    case .cameBack(let name): "Back: \(name)"
    case .presetAlready: "Already a preset"
    case .stationNotPlayed: "Cannot be played"
    case .presetsUnchanged: ["Preset not changed", "Not changed"]
    case .directoryReady: ["Station list is ready", "Station list OK"]
    case .directoryUnchanged: ["List not downloaded", "No download"]
    case .roomUnchanged: "Room not changed"
    case .settingReplaced(let key): "Wrong setting: \(key)"
    }
  }
}
