import Control
import Framing
import Http
import Network
import Panel
import RadioEngine
import Recordings

/// A running radio as `panel` shows and controls it.
protocol PanelRadio {
  typealias Failure = ControlConnection.Failure

  /// Returns the lines of the picture.
  func picture() throws(Failure) -> [String]
  /// Carries out a key. Returns a message for the listener; nil if the picture shows the result.
  func apply(_ key: PanelKey) throws(Failure) -> String?
  /// Returns a message about a key whose result was not known before; nil without a message.
  func report() -> String?
  /// Waits for the result of the last key, and returns a message.
  func finish() -> String?
}

/// A box, with its display.
struct BoxPanel: PanelRadio {
  let connection: ControlConnection

  func picture() throws(Failure) -> [String] {
    let answer = CtlAnswer(try connection.ask(["radio_display"]))
    let rows = (1...4).compactMap { answer["row_\($0)"] }
    // The server at the socket is not trusted.
    let columns = answer["columns"].flatMap { Int($0) }.map { max(1, min($0, 80)) } ?? 20
    return TerminalFrame.lines(around: rows, columns: columns, isLit: answer["lit"] == "1")
  }

  func apply(_ key: PanelKey) throws(Failure) -> String? {
    guard key.shared == .favourite else {
      do throws(Failure) { _ = try connection.ask(key.command) } catch {
        // The display shows a refusal.
        guard case .refused = error else { throw error }
      }
      return nil
    }
    do throws(Failure) { _ = try connection.ask(key.command) } catch {
      guard case .refused(_, let reason) = error else { throw error }
      return DisplayText.line(reason)
    }
    return "The station is now a preset of the radio."
  }

  func report() -> String? { nil }

  func finish() -> String? { nil }
}

/// The radio of `bakelite play --control`, without a display.
struct PlayerPanel: PanelRadio {
  let connection: ControlConnection
  private let favourites = FavouriteWriter()

  init(connection: ControlConnection) { self.connection = connection }

  func report() -> String? { favourites.report() }

  func finish() -> String? { favourites.finish() }

  func picture() throws(Failure) -> [String] {
    let status = CtlAnswer(try connection.ask(["radio_status"]))
    let lines = status.summary.split(separator: "\n").map { DisplayText.line(String($0)) }
    let rows = lines.prefix(Self.maxRows).map { TextColumns.cut($0, to: Self.columns - 2) }
    return TerminalFrame.lines(around: rows.map { " " + $0 }, columns: Self.columns, isLit: true)
  }

  func apply(_ key: PanelKey) throws(Failure) -> String? {
    do throws(Failure) {
      if let number = key.preset { return try ask(["radio_tune", "\(number)"]) }
      if let action = key.shared ?? key.step { return try apply(action) }
      return key.command.last == "stop" ? try ask(["stop"]) : "This radio has no menu, knob or standby."
    } catch {
      guard case .refused(_, let reason) = error else { throw error }
      return DisplayText.line(reason)
    }
  }

  private func apply(_ action: SharedKey) throws(Failure) -> String? {
    switch action {
    case .pause: return try ask([try isStopped ? "play" : "pause"])
    case .previous: return try ask(["previous"])
    case .next:
      // MPD stops at the end of its queue.
      let status = CtlAnswer(try connection.ask(["status"]))
      return status["nextsong"] == nil ? "Nothing follows." : try ask(["next"])
    case .back: return try ask(["radio_rewind", figure(PlayKey.seekStep)])
    case .forward: return try ask(["radio_forward", figure(PlayKey.seekStep)])
    case .live: return try ask(["radio_live"])
    case .louder: return try ask(["volume", "\(PlayKey.volumeStep)"])
    case .softer: return try ask(["volume", "-\(PlayKey.volumeStep)"])
    case .mute: return try ask(["toggleoutput", "0"])
    case .record: return try toggleRecording()
    case .keep:
      let title = CtlAnswer(try connection.ask(["radio_keep"]))["title"] ?? "the song"
      return "Keeping \(DisplayText.line(title))"
    case .sleep: return "This radio has its sleep timer at the key z of its own terminal."
    case .favourite: return try addFavourite()
    case .help, .quit: return nil
    }
  }

  private var isStopped: Bool {
    get throws(Failure) { CtlAnswer(try connection.ask(["radio_status"]))["state"] == "stopped" }
  }

  private func ask(_ words: [String]) throws(Failure) -> String? {
    _ = try connection.ask(words)
    return nil
  }

  /// Ends the recording, or starts one in the radio's folder. A second one in the same minute continues the first.
  private func toggleRecording() throws(Failure) -> String? {
    let status = CtlAnswer(try connection.ask(["radio_status"]))
    if status["recording"] != nil { return try ask(["radio_record", "stop"]) }
    let time = UtcText.minute(DoctorClock.own.seconds)
    let name = RecordingOrder.name(status["station"] ?? "Station", stamp: time)
    let ending = status["codec"] == "AAC" ? "aac" : "mp3"
    return try ask(["radio_record", "start", "\(name).\(ending)", "append"])
  }

  private func addFavourite() throws(Failure) -> String? {
    let song = CtlAnswer(try connection.ask(["currentsong"]))
    guard let address = song["file"] else { return "Nothing plays." }
    if address.hasPrefix("station:") {
      return "The station's address is secret; use f in the terminal of its radio."
    }
    var request = StationRequest(url: address)
    guard !address.lowercased().hasPrefix("file:") else { return "A file is no station." }
    // The radio does not report the origin of the address, so the limits of the directory apply.
    request.reach = AddressPolicy(namedBy: "")
    return favourites.add(request, name: DisplayText.line(song["Name"] ?? ""))
  }

  private static let columns = 60
  private static let maxRows = 6
}
