import PanelWords
import Units

/// The front panel: the meaning of keys and knob, and the content of the display.
///
/// A model without clock or hardware. The owner passes each gesture to `handle`, and draws a frame after each gesture,
/// after each change of the view, and at `nextChange`, with `advance` before it.
public struct FrontPanel: Sendable {
  private typealias Stay = PanelOverlay.Stay

  /// The settings, some of which the menu changes.
  public private(set) var settings: PanelSettings
  /// The mode of the knob.
  public var knobMode: KnobMode { settings.knobMode }

  private var painter: PanelPainter
  private var overlay: PanelOverlay? { didSet { describeOverlay() } }
  private var overlayEnd = MonotonicTime.never
  private var questions = QuestionWatch()
  private var webCode = WebCodeWatch()
  /// The open lists of the station directory; they stay open below a temporary overlay.
  private var find: Find? { didSet { findRequest = find?.request } }
  private var lastTouch: MonotonicTime?
  private var listKnob = KnobAcceleration(most: 8)
  private var scrubKnob = KnobAcceleration(most: 5)
  /// Limited, so that a fast turn does not become loud by surprise.
  private var upKnob = KnobAcceleration(most: 2)
  private var downKnob = KnobAcceleration(most: 5)

  /// Creates a panel for a display of 16 or 20 columns and 2 or 4 rows.
  public init(columns: Int, rows: Int, rom: CharacterRom = .a00, settings: PanelSettings = PanelSettings()) {
    painter = PanelPainter(columns: columns, rows: rows, rom: rom)
    self.settings = settings.bounded
  }

  /// Advances the time: applies a finished turn of the knob, and closes overlays.
  public mutating func advance(_ view: PanelView, at now: MonotonicTime) -> [PanelOrder] {
    var orders: [PanelOrder] = []
    if case .tuning(let cursor, let due?) = overlay, due <= now {
      overlay = .tuning(cursor: cursor, due: nil)
      orders = tune(cursor, view)
    }
    if overlay == .find, case .fetching = view.found {
      find?.touch(at: now)
      overlayEnd = now + Find.stay
    }
    if overlay != nil, overlayEnd <= now { uncover(at: now) }
    ask(view, now)
    return orders
  }

  /// Time of the next change of the frame or order from `advance` without input; `never` for a static screen.
  public func nextChange(after now: MonotonicTime) -> MonotonicTime {
    var moment = painter.nextChange
    if overlay != nil { moment = min(moment, overlayEnd) }
    if case .tuning(_, let due?) = overlay { moment = min(moment, due) }
    return max(now, moment)
  }

  // Stored, because the owner reads these values in each iteration, and a computed value copies the panel.

  /// The directory rows that the panel shows, for `PanelView.found`; nil for none.
  public private(set) var findRequest: FindRequest?

  /// True while the panel shows the recordings, for `PanelView.shelf`.
  public private(set) var showsRecordings = false

  /// True if no overlay hides the radio's own screen.
  public private(set) var isFree = true

  private mutating func describeOverlay() {
    isFree = overlay == nil
    showsRecordings = if case .menu(let menu) = overlay { menu.showsRecordings } else { false }
  }

  /// Shows a message for two seconds, such as the reason of a refusal.
  public mutating func announce(_ notice: PanelNotice, at now: MonotonicTime) {
    if case .settingReplaced = notice { return open(.notice(notice), until: now + Stay.fault) }
    open(.notice(notice), until: now + Stay.knob)
  }

  /// Returns the frame to show, with the characters of its cells.
  public mutating func picture(_ view: PanelView, at now: MonotonicTime) -> PanelPicture {
    ask(view, now)
    let showing = PanelPainter.Showing(
      overlay: overlay, settings: settings, lastTouch: lastTouch, find: find)
    return painter.picture(view, showing, at: now)
  }

  /// Applies other settings; the knob retains its mode.
  public mutating func adopt(_ settings: PanelSettings) {
    let mode = knobMode
    self.settings = settings.bounded
    self.settings.knobMode = mode
  }

  private mutating func open(_ overlay: PanelOverlay, until end: MonotonicTime) {
    self.overlay = overlay
    overlayEnd = end
  }

  private mutating func close() {
    if isAsking { questions.leave() }
    overlay = nil
    find = nil
    overlayEnd = .never
  }

  // MARK: Keys and knob

  /// Processes an input; returns the orders for the radio, in sequence.
  public mutating func handle(_ input: PanelInput, _ view: PanelView, at now: MonotonicTime) -> [PanelOrder] {
    let late = advance(view, at: now)
    lastTouch = now
    if leavesCode(input, now) { return late }
    if let orders = search(input, view, now) { return late + orders }
    switch input {
    case .action(let action): return late + act(action, view, now)
    case .turn(let clicks, let mode): return late + turn(clicks, mode, view, now)
    }
  }

  private mutating func act(_ action: PanelAction, _ view: PanelView, _ now: MonotonicTime) -> [PanelOrder] {
    switch action {
    case .playPause where isAsking: return select(view, now)
    case .next where move(answerBy: 1, now), .previous where move(answerBy: -1, now): return []
    case .playPause: return leaving(.playPause)
    case .stop: return leaving(.stop)
    case .next where isInMenu: return turn(1, .tune, view, now)
    case .previous where isInMenu: return turn(-1, .tune, view, now)
    case .next: return neighbour(1, view, now)
    case .previous: return neighbour(-1, view, now)
    case .preset(let number): return preset(number, view, now)
    case .rewind: return seek(-settings.scrubStep, view, now)
    case .forward: return seek(settings.scrubStep, view, now)
    case .live:
      open(.timeShift, until: now + Stay.knob)
      return [.live]
    case .volumeUp: return change(volumeBy: settings.volumeStep, view, now)
    case .volumeDown: return change(volumeBy: -settings.volumeStep, view, now)
    case .mute:
      open(.volume(volume(view), isMuted: !view.isMuted), until: now + Stay.knob)
      return [.mute(!view.isMuted)]
    case .mode where askDeletion(view, now): return []
    case .mode where goBack(view, now), .menu where goBack(view, now): return []
    case .mode: return set(mode: knobMode.next, now)
    case .menu: return menuKey(now)
    case .up: return turn(isInList ? -1 : 1, nil, view, now)
    case .down: return turn(isInList ? 1 : -1, nil, view, now)
    case .select: return select(view, now)
    case .record: return record(view, now)
    case .keep: return [.keep]
    case .display: return set(face: settings.face.next)
    case .sleep: return sleepKey(view, now)
    case .power:
      let isOff = view.isStandby || view.state == .stopped && !view.isRetrying
      return leaving(isOff ? .playPause : .powerOff)
    }
  }

  private mutating func leaving(_ order: PanelOrder) -> [PanelOrder] {
    close()
    return [order]
  }

  // MARK: Stations

  private func tune(_ index: Int, _ view: PanelView) -> [PanelOrder] {
    guard view.stations.indices.contains(index) else { return [] }
    return index == view.stationIndex && view.state != .stopped ? [] : [.tune(index)]
  }

  /// The next or previous station; during a podcast or a list of files, the next or previous item.
  private mutating func neighbour(_ step: Int, _ view: PanelView, _ now: MonotonicTime) -> [PanelOrder] {
    if view.stepsEpisodes, let episode = view.episodeIndex {
      close()
      let place = max(0, episode + step)
      return view.episodes.indices.contains(place) ? [.episode(place)] : [.stop]
    }
    guard !view.stations.isEmpty else { return refuse(.noStations, now) }
    close()
    return [.tune(view.station(view.stationIndex, movedBy: step))]
  }

  private mutating func preset(_ number: Int, _ view: PanelView, _ now: MonotonicTime) -> [PanelOrder] {
    guard view.stations.indices.contains(number - 1) else { return refuse(.noPreset(number), now) }
    close()
    return tune(number - 1, view)
  }

  private mutating func turnStations(_ clicks: Int, _ view: PanelView, _ now: MonotonicTime) -> [PanelOrder] {
    guard !view.stations.isEmpty else { return refuse(.noStations, now) }
    let steps = listKnob.steps(for: clicks, at: now)
    var index = view.stationIndex
    if case .tuning(let cursor, _) = overlay { index = cursor }
    let cursor = view.station(index, movedBy: steps)
    open(.tuning(cursor: cursor, due: now + Stay.dwell), until: now + Stay.dwell + Stay.knob)
    return []
  }

  // MARK: The knob

  private mutating func turn(
    _ clicks: Int, _ mode: KnobMode?, _ view: PanelView, _ now: MonotonicTime
  ) -> [PanelOrder] {
    guard clicks != 0 else { return [] }
    if case .menu(let menu) = overlay, mode == nil || mode == .tune {
      let step = listKnob.steps(for: clicks, at: now)
      open(.menu(menu.moved(by: step, view, settings.language.texts, rows: painter.rows)), until: now + Stay.menu)
      return menu.orders(turnedBy: clicks, view, settings)
    }
    if isAsking, mode == nil || mode == .tune {
      // The knob stops at the first and the last answer.
      if !move(answerBy: clicks, now) { overlayEnd = now + Stay.menu }
      return []
    }
    switch mode ?? knobMode {
    case .tune: return turnStations(clicks, view, now)
    case .volume:
      let steps = clicks > 0 ? upKnob.steps(for: clicks, at: now) : downKnob.steps(for: clicks, at: now)
      return change(volumeBy: steps * settings.volumeStep, view, now)
    case .scrub: return seek(scrubKnob.steps(for: clicks, at: now) * settings.scrubStep, view, now)
    }
  }

  /// True if the knob moves in a list, where "up" means the previous entry, to the left.
  private var isInList: Bool { isInMenu || isAsking || knobMode == .tune }

  private var isInMenu: Bool { if case .menu = overlay { true } else { false } }

  private func volume(_ view: PanelView) -> Int {
    if case .volume(let value, _) = overlay { return value }
    return max(0, min(100, view.volume))
  }

  private mutating func change(volumeBy step: Int, _ view: PanelView, _ now: MonotonicTime) -> [PanelOrder] {
    let old = volume(view)
    let new = max(0, min(100, old + step))
    let isHeard = view.isMuted && step > 0
    open(.volume(new, isMuted: view.isMuted && !isHeard), until: now + Stay.knob)
    return (new == old ? [] : [.volume(new)]) + (isHeard ? [.mute(false)] : [])
  }

  private mutating func seek(_ seconds: Int, _ view: PanelView, _ now: MonotonicTime) -> [PanelOrder] {
    guard view.state != .stopped else { return refuse(.nothingPlays, now) }
    open(.timeShift, until: now + Stay.knob)
    return view.order(seekingBy: seconds).map { [$0] } ?? []
  }

  private mutating func set(mode: KnobMode, _ now: MonotonicTime) -> [PanelOrder] {
    settings.knobMode = mode
    announce(.knob(mode), at: now)
    return [.setting(.knobMode(mode))]
  }

  private mutating func set(face: PanelFace) -> [PanelOrder] {
    close()
    settings.face = face
    return [.setting(.face(face))]
  }

  private mutating func record(_ view: PanelView, _ now: MonotonicTime) -> [PanelOrder] {
    if view.recording == nil {
      open(.recording, until: now + Stay.recording)
    } else {
      announce(.recordingEnded, at: now)
    }
    return [.record]
  }

  private mutating func refuse(_ notice: PanelNotice, _ now: MonotonicTime) -> [PanelOrder] {
    announce(notice, at: now)
    return []
  }

  private mutating func sleepKey(_ view: PanelView, _ now: MonotonicTime) -> [PanelOrder] {
    let minutes = [15, 30, 60, 90].first { $0 > view.sleepMinutes ?? 0 }
    announce(.sleep(minutes: minutes), at: now)
    return [.sleep(minutes: minutes)]
  }

  // MARK: The question

  /// Shows a new code or question by itself, and removes one that is over or replaced.
  private mutating func ask(_ view: PanelView, _ now: MonotonicTime) {
    if webCode.showsItself(view.webCode) || webCode.isOpen && overlay == nil { open(.webCode, until: .never) }
    if overlay == .webCode, !webCode.isOpen { uncover(at: now) }
    if case .question(let asked, _) = overlay, view.question?.isSame(as: asked) != true { close() }
    if questions.showsItself(view.question, isFree: overlay == nil, at: now), let question = view.question {
      open(.question(question, .listen), until: questions.end)
    }
  }

  private var isAsking: Bool { if case .question = overlay { true } else { false } }

  /// Moves to another answer; false without a question or a further answer: a key then leaves the question.
  private mutating func move(answerBy step: Int, _ now: MonotonicTime) -> Bool {
    guard case .question(let question, let answer) = overlay, let next = answer.moved(by: step) else { return false }
    open(.question(question, next), until: now + Stay.menu)
    return true
  }

  /// Removes the web panel's code from the display; true if the gesture has no other effect.
  private mutating func leavesCode(_ input: PanelInput, _ now: MonotonicTime) -> Bool {
    webCode.leave()
    guard overlay == .webCode else { return false }
    uncover(at: now)
    return [.action(.select), .action(.menu), .action(.mode)].contains(input)
  }

  // MARK: The station directory

  /// Returns the orders of a gesture during a search; nil if the gesture has its usual effect. A press first shows the
  /// list again if an overlay hides it.
  private mutating func search(_ input: PanelInput, _ view: PanelView, _ now: MonotonicTime) -> [PanelOrder]? {
    guard let key = Find.Key(input), find != nil else { return nil }
    let isCovered = overlay != .find
    open(.find, until: now + Find.stay)
    if isCovered, key == .select || key == .keep {
      find?.touch(at: now)
      return []
    }
    switch find?.process(key, view.found, at: now) {
    case .continues(let orders): return orders
    case .left:
      close()
      open(.menu(Menu(cursor: Menu.items(view).firstIndex(of: .find) ?? 0)), until: now + Stay.menu)
    case .over, nil: close()
    }
    return []
  }

  /// Shows the directory list below, or else the radio's own screen.
  private mutating func uncover(at now: MonotonicTime) {
    guard let end = find?.end, end > now, overlay != .find else { return close() }
    open(.find, until: end)
  }

  // MARK: The menu

  /// Opens the menu; inside, leaves a choice unchanged, or else the menu.
  private mutating func menuKey(_ now: MonotonicTime) -> [PanelOrder] {
    guard case .menu(var menu) = overlay else {
      open(.menu(Menu()), until: now + Stay.menu)
      return []
    }
    if menu.page == .list {
      close()
    } else {
      menu.page = .list
      open(.menu(menu), until: now + Stay.menu)
    }
    return []
  }

  /// Asks before the recording at the cursor is deleted; false without a recording.
  private mutating func askDeletion(_ view: PanelView, _ now: MonotonicTime) -> Bool {
    guard case .menu(let menu) = overlay, let question = menu.asksDeletion(view) else { return false }
    open(.menu(question), until: now + Stay.menu)
    return true
  }

  /// Returns to the previous page of the menu; false if the page has none.
  private mutating func goBack(_ view: PanelView, _ now: MonotonicTime) -> Bool {
    guard case .menu(let menu) = overlay, let back = menu.back(view) else { return false }
    open(.menu(back), until: now + Stay.menu)
    return true
  }

  /// Chooses the entry at the cursor; without an entry, opens the menu.
  private mutating func select(_ view: PanelView, _ now: MonotonicTime) -> [PanelOrder] {
    switch overlay {
    case .tuning(let cursor, let due):
      close()
      return due == nil ? [] : tune(cursor, view)
    case nil where view.room != nil, .volume where view.room != nil: return act(.mute, view, now)
    case .volume, .timeShift, .recording, .notice, .find, .webCode:
      close()
      return []
    case .menu(let menu): return select(in: menu, view, now)
    case .question(let question, let answer):
      // After listening to the other address, the owner still has to accept or refuse it.
      if answer == .listen {
        questions.extend(with: question, until: now + Stay.question)
        open(.question(question, .accept), until: now + Stay.question)
      } else {
        close()
      }
      return [.answer(answer, preset: question.preset)]
    case nil: return view.isStandby ? [.playPause] : menuKey(now)
    }
  }

  private mutating func select(in menu: Menu, _ view: PanelView, _ now: MonotonicTime) -> [PanelOrder] {
    switch menu.taken(view, settings) {
    case .record: return record(view, now)
    case .question:
      if let question = view.question { open(.question(question, .listen), until: now + Stay.menu) }
      return []
    case .find:
      find = Find(at: now)
      open(.find, until: now + Find.stay)
      return []
    case .closed(let orders):
      close()
      return orders
    case .open(let next, let order):
      if case .setting(let setting)? = order { settings.adopt(setting) }
      open(.menu(next), until: now + Stay.menu)
      if order == .setting(.web(true)), let code = view.webCode {
        webCode.show(code)
        open(.webCode, until: .never)
      }
      return order.map { [$0] } ?? []
    }
  }
}
