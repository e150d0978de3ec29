import CLinux
import Glibc
import Panel
import PanelLinux
import Settings

/// The list of stations in a terminal, also while a station plays. One thread.
final class ListenScreen: LiveDisplay, KeySource {
  let isLive = true
  var descriptor: Int32 { panel.descriptor }
  var isReady: Bool { !isGone }

  private let panel: TerminalPanel
  private var view: StationListView
  private var picker: StationPicker { didSet { draw() } }
  private var playing: String?
  private var line: LiveText?
  private var messages: [String] = []
  private var overlay: [String]?
  private var isGone = false

  /// Takes over the terminal. `place`: the list's path, as shown.
  init(_ entries: [StationList.Entry], place: String) throws(HardwareError) {
    picker = StationPicker(entries)
    view = StationListView(picker: picker, place: place)
    panel = try TerminalPanel(suspends: true)
    // A handler interrupts the wait for a key, so that a new size is drawn at once.
    signal(SIGWINCH) { _ in }
    draw()
  }

  // MARK: The list

  /// Waits for the choice of a station; nil to quit.
  func choose() -> StationList.Entry? {
    while !Interrupts.isAsked, !isGone {
      _ = bk_wait_readable(panel.descriptor, Self.patience)
      while let key = next(), !isGone {
        let isHelp = overlay != nil
        overlay = nil
        switch picker.press(key, page: view.page) {
        case .play(let entry):
          picker.endSearch(at: entry.station.name)
          return entry
        case .help: overlay = isHelp ? nil : TerminalFrame.keys(StationListView.keys).map { "  " + $0 }
        case .quit: return nil
        case nil: break
        }
      }
      draw()
    }
    return nil
  }

  /// Shows a station as playing. `nil`: returns to the list, which may have changed.
  func play(_ station: StationSettings?, of entries: [StationList.Entry]) {
    (playing, line, overlay) = (station?.name, nil, nil)
    if station != nil { messages = [] }
    picker.reload(entries)
  }

  /// Milliseconds until the size is checked without a signal.
  private static let patience: Int32 = 500

  private func draw() {
    view = StationListView(picker: picker, place: view.place)
    view.playing = playing.map { ($0, line ?? LiveText()) }
    (view.messages, view.overlay) = (messages, overlay)
    (view.columns, view.rows) = panel.size
    let (lines, marked) = view.lines
    panel.draw(lines, marked: marked)
  }

  // MARK: The playback

  func show(_ text: LiveText) {
    line = text
    draw()
  }

  func mark(_ station: String) {
    playing = station
    picker.follow(station)
    draw()
  }

  func clear() {}

  func note(_ message: String) {
    let lines = message.split(separator: "\n").map(String.init)
    if lines.count > 3 { overlay = lines.map { "  " + $0 } } else { messages += lines }
    messages = messages.suffix(Self.maxMessages)
    draw()
  }

  func complain(_ message: String) { note(message) }

  private static let maxMessages = 3

  // MARK: Keys

  /// Returns the action of the next key while a station plays. Keys of a search return `unused` or the found station.
  func nextKey() -> PlayKey? {
    guard let key = next() else { return nil }
    guard !isGone, picker.search != nil || key == .character("/") else { return action(of: key) }
    guard case .play(let entry) = picker.press(key, page: view.page) else { return .unused }
    picker.endSearch(at: entry.station.name)
    return picker.entries.firstIndex { $0.station.name == entry.station.name }.map { .station($0 + 1) } ?? .unused
  }

  /// Returns the action of a key. The number keys mean the numbers on the screen, which count unusable stations too.
  private func action(of key: TerminalKey) -> PlayKey {
    guard case .station(let number)? = PlayKey(key) else { return PlayKey(key) ?? .unused }
    if let place = picker.entries.firstIndex(where: { $0.number == number }) { return .station(place + 1) }
    note("No station has the number \(number).")
    return .unused
  }

  /// Returns the next key; "q" after the terminal is gone.
  private func next() -> TerminalKey? {
    do throws(HardwareError) {
      let key = try panel.next()
      if key != nil, playing != nil, overlay != nil {
        overlay = nil
        // The key that shows the list of keys also hides this list.
        if key == .character("?") { return nil }
      }
      return key
    } catch {
      isGone = true
      return .character("q")
    }
  }

  /// Keeps the terminal for the list.
  func restore() {}

  /// Returns the terminal to the shell.
  func end() { panel.restore() }
}
