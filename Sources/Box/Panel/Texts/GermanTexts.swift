import PanelWords

struct GermanTexts: DisplayTexts {
  func stage(_ stage: BootStage) -> FittedText {
    switch stage {
    case .starting: "Startet"
    case .soundCard: "Soundkarte"
    case .station: ["Stelle Sender ein", "Sender"]
    }
  }

  func date(_ clock: WallClock) -> FittedText {
    let (weekday, month) = (Self.days[clock.weekday], Self.months[clock.month - 1])
    let short = "\(weekday.prefix(2)), \(clock.day)."
    return ["\(weekday), \(clock.day). \(month)", "\(short) \(month)", "\(short)\(clock.month)."]
  }

  private static let days = ["Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"]
  private static let months = [
    "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
    "Dezember",
  ]

  // MARK: Playback

  var stopped: FittedText { "Gestoppt" }
  var connecting: FittedText { "Verbinde…" }

  func buffering(_ progress: String?) -> FittedText { progress.map { "Puffern \($0)" } ?? "Puffern" }

  func plays(_ guest: String) -> FittedText { guest.isEmpty ? "Gast spielt" : "\(guest) spielt" }

  var muteMark: String { "STUMM" }
  var silentMark: String { "VOL 0" }
  var volume: FittedText { ["Lautstärke", "Lautst.", "Vol"] }
  var muted: FittedText { ["Stumm", "Aus"] }
  var peak: FittedText { ["Spitze", "Max"] }

  // MARK: Time

  var position: FittedText { "Position" }
  var timeShift: FittedText { "Zeitversetzt" }

  func length(_ time: String) -> FittedText { "von \(time)" }

  func held(_ time: String) -> FittedText { ["\(time) im Puffer", "max. \(time)", "\(time)"] }

  func rewindable(_ time: String, of most: String?) -> FittedText {
    guard let most else { return ["Rückspulbar \(time)", "Zurück \(time)"] }
    return ["Rückspulbar \(time) / \(most)", "Zurück \(time) / \(most)", "Zurück \(time)/\(most)", "-\(time)/\(most)"]
  }

  func buffered(_ time: String, isHeard: Bool) -> FittedText {
    let short = "Puffer: \(time)"
    return isHeard ? ["Noch \(time) im Puffer", short] : ["\(time) im Puffer", short]
  }

  // MARK: Recording

  var recording: FittedText { "Aufnahme" }

  func recorded(_ time: String) -> FittedText { "Aufnahme \(time)" }

  func room(_ time: String) -> FittedText { ["Platz für \(time)", "Platz: \(time)"] }

  func roomLeft(_ time: String) -> FittedText { "noch \(time)" }

  // MARK: The menu

  func label(_ item: MenuItem) -> FittedText {
    switch item {
    case .episodes: "Folgen"
    case .find: find(.start)
    case .sleep: "Timer"
    case .record: ["Aufnahme", "Aufn."]
    case .keep: "Titel sichern"
    case .keepPrevious: "Vorigen sichern"
    case .recordings: "Aufnahmen"
    case .face: ["Anzeige", "Bild"]
    case .knob: "Knopf"
    case .scrolling: ["Lauftext", "Tempo"]
    case .idleClock: ["Uhr bei Stopp", "Uhr"]
    case .language: "Sprache"
    case .keepPreset: ["Als Favorit sichern", "Favorit sichern"]
    case .movePreset: ["Favorit verschieben", "Verschieben"]
    case .removePreset: ["Favorit löschen", "Löschen"]
    case .guest: "Ton zurückholen"
    case .rooms: "Räume"
    case .moved: ["Sender umgezogen?", "Umgezogen?"]
    case .web: "Web-Seite"
    case .info: "Info"
    case .back: "Zurück"
    }
  }

  func value(_ setting: PanelSetting) -> FittedText {
    switch setting {
    case .scrollMilliseconds(let milliseconds):
      switch ScrollSpeed(milliseconds: milliseconds) {
      case .slow: "langsam"
      case .normal: "normal"
      case .fast: "schnell"
      }
    case .idleClock(let isOn), .web(let isOn): isOn ? "an" : "aus"
    case .knobMode(let mode): knob(mode)
    case .face(.titles): "Titel"
    case .face(.spectrum): "Spektrum"
    case .face(.level): "Pegel"
    case .language(let language): language.ownName
    }
  }

  func sleep(_ minutes: Int?) -> FittedText { minutes.map { "\(min($0, 999)) min" } ?? "aus" }

  func knob(_ mode: KnobMode) -> FittedText {
    switch mode {
    case .tune: "Sender"
    case .volume: ["Lautstärke", "Lautst."]
    case .scrub: "Zeit"
    }
  }

  var off: FittedText { "aus" }
  var yes: FittedText { "ja" }
  var no: FittedText { "nein" }
  var noStation: FittedText { "Kein Sender" }
  var noNetwork: FittedText { "Kein Netzwerk" }

  func buffer(_ time: String) -> FittedText { "Puffer \(time)" }

  func code(_ code: String) -> FittedText { "Code: \(code)" }

  // MARK: Questions

  func moved(_ preset: String) -> FittedText { ["\(preset) umgezogen?", "\(preset) verlegt?"] }

  func answer(_ answer: PanelAnswer) -> FittedText {
    switch answer {
    case .listen: ["hören", "test"]
    case .accept: "ja"
    case .refuse: "nein"
    }
  }

  // MARK: Faults and notices

  func fault(_ fault: PanelFault) -> FaultText {
    switch fault {
    case .noNetwork: FaultText("Kein Netzwerk", ["Warte auf Netzwerk", "Warte auf Netz"])
    case .serverGone(let attempt, let wait):
      FaultText(["Verbindung getrennt", "Verbindung weg"], retry(attempt, wait))
    case .serverDown(let attempt, let wait):
      FaultText(["Verbindung abgelehnt", "Server ist aus"], retry(attempt, wait))
    case .noAnswer(let attempt, let wait): FaultText("Keine Antwort", retry(attempt, wait))
    case .noData(let attempt, let wait): FaultText(["Server sendet nichts", "Keine Daten"], retry(attempt, wait))
    case .noNameServer(let attempt, let wait): FaultText("Kein DNS-Server", retry(attempt, wait))
    case .proxyFailed(let attempt, let wait): FaultText("Proxy-Fehler", retry(attempt, wait))
    case .stationNotFound(let wait): FaultText("Nicht gefunden", retry(wait))
    case .passwordNeeded: FaultText("Passwort fehlt", ["Bei user eintragen", "user eintragen"])
    case .refused(let code, let wait): FaultText("Verweigert (\(status(code)))", retry(wait))
    case .serverBusy(503, let wait): FaultText(["Server überlastet", "Überlastet"], retry(wait))
    case .serverBusy(let code, let wait): FaultText(["Serverfehler (\(status(code)))", "Serverfehler"], retry(wait))
    case .badPlaylist: FaultText("Playlist defekt", "Adresse prüfen")
    case .badAnswer: FaultText(["Unbekannte Antwort", "Antwort unklar"], "Adresse prüfen")
    case .notAudio: FaultText(["Kein Audiostream", "Kein Audio"], "Sender wechseln")
    case .webPage: FaultText(["Webseite, kein Ton", "Eine Webseite"], "Adresse prüfen")
    case .notPlayable(let kind):
      FaultText(["\(kind.prefix(7)) geht nicht", "Kein \(kind.prefix(7))"], "Sender wechseln")
    case .badAddress: FaultText("Adresse falsch", ["Senderliste prüfen", "Liste prüfen"])
    case .noStations: FaultText(["Noch keine Sender", "Keine Sender"], ["Sender hinzufügen", "Bitte hinzufügen"])
    case .soundCardMissing: FaultText("Keine Soundkarte", "Wird gesucht")
    case .soundCardBusy: FaultText(["Soundkarte belegt", "Karte belegt"], "Warte darauf")
    case .pipeUnread: FaultText(["Niemand liest Pipe", "Pipe ohne Leser"], "Warte auf Leser")
    case .outputFailed: FaultText("Ausgabefehler", "Neuer Versuch")
    case .waitingForClock:
      FaultText(["Uhr nicht gestellt", "Uhrzeit fehlt"], ["Warte auf Uhrzeit", "Warte auf Zeit"])
    case .badCertificate: FaultText(["Zertifikat ungültig", "Zertifikatfehler"], "Keine Verbindung")
    case .noSecureConnection: FaultText("TLS-Fehler", "Adresse prüfen")
    case .fileUnreadable: FaultText("Datei unlesbar", "Datei prüfen")
    case .fileChanged: FaultText(["Datei wurde geändert", "Datei geändert"], "Neu abspielen")
    case .snapserverGone: FaultText(["Snapserver ist weg", "Snapserver weg"], "Suche ihn")
    case .snapserverStrange: FaultText("Kein Snapserver", ["Einstellung prüfen", "Einst. prüfen"])
    case .snapclientGone: FaultText(["Snapclient ist weg", "Snapclient weg"], "Warte darauf")
    case .internalFault: FaultText(["Interner Fehler", "Radio-Fehler"], "Siehe Journal")
    }
  }

  private func retry(_ attempt: Int, _ wait: Int?) -> FittedText {
    guard let time = DurationText.wait(wait) else { return ["Versuch \(number(attempt)) läuft", "Neuer Versuch"] }
    return ["Versuch \(number(attempt)) in \(time)", "Erneut in \(time)"]
  }

  private func retry(_ wait: Int?) -> FittedText {
    DurationText.wait(wait).map { "Erneut in \($0)" } ?? "Neuer Versuch"
  }

  func notice(_ notice: PanelNotice) -> FittedText {
    switch notice {
    case .noStations: "Keine Sender"
    case .noPreset(let number): "Kein Favorit \(number)"
    case .nothingPlays: "Es läuft nichts"
    case .knob(let mode): FittedText(forms: knob(mode).forms.map { "Knopf: \($0)" })
    case .alarm(let time): "Wecker \(time)"
    case .alarmSnoozed(let minutes): "Noch \(minutes) min"
    case .alarmStopped: "Wecker aus"
    case .sleep(let minutes): minutes.map { "Timer: \($0) min" } ?? "Timer aus"
    case .recordingEnded: "Aufgenommen"
    case .recordingFailed: ["Aufnahme gescheitert", "Aufnahmefehler"]
    case .recordingsFull: "Aufnahmen voll"
    case .alreadyRecording: ["Aufnahme läuft schon", "Aufnahme läuft"]
    case .recordingGrowing: ["Wird aufgenommen", "Nimmt noch auf"]
    case .recordingNotDeleted: "Nicht gelöscht"
    case .diskBusy: ["Speicher belegt", "Belegt"]
    case .songKept(let title): "Gesichert: \(title)"
    case .songNotKept: "Nicht gesichert"
    case .songKeptAlready: "Schon gesichert"
    case .songGone: ["Nicht mehr im Puffer", "Titel ist weg"]
    case .noTitle: "Noch kein Titel"
    case .noEarlierTitle: "Kein Titel davor"
    case .preset(let number, let name): "Favorit \(number): \(name)"
    case .presetRelocated(let name): "Neue Adresse: \(name)"
    case .presetRemoved(let name): "Gelöscht: \(name)"
    case .failedOver(let name): name.map { "Ersatz: \($0)" } ?? "Kein Sender: Ton"
    case .cameBack(let name): "Zurück: \(name)"
    case .presetAlready: ["Schon ein Favorit", "Schon Favorit"]
    case .stationNotPlayed: "Nicht spielbar"
    case .presetsUnchanged: "Nicht geändert"
    case .directoryReady: ["Senderliste ist da", "Senderliste da"]
    case .directoryUnchanged: ["Liste nicht geladen", "Nicht geladen"]
    case .roomUnchanged: ["Raum nicht geändert", "Raum unverändert"]
    case .settingReplaced(let key): "Falscher Wert: \(key)"
    }
  }
}
