/// AudioVault's element names are undocumented, and stations use their own. Any element with a title or an artist, in
/// attributes or in text elements, is therefore an event.
final class NowPlayingEventCollector: XmlHandler {
  static let eventLimit = 64
  /// Maximum length of a value, in bytes; longer texts are cut.
  static let valueLimit = 512

  private(set) var refresh: Int?

  private struct Element {
    var name: String
    var fields = NowPlayingEventBuilder()
    var events: [NowPlayingEvent] = []
    var text: [UInt8] = []
    var isLeaf = true
  }

  private var path: [Element] = []
  private var ended: [NowPlayingEvent] = []
  private var count = 0

  var events: [NowPlayingEvent] { ended + path.flatMap(\.events) }

  /// True if the limit is reached, or if the document is an HTML page (a portal or an error page).
  var isFull: Bool { count >= Self.eventLimit || isPage }
  private var isPage = false

  func start(_ name: String, attributes: [String: String]) {
    var element = Element(name: NowPlayingField.plain(name))
    if path.isEmpty { isPage = element.name == "html" } else { path[path.count - 1].isLeaf = false }
    for (name, value) in attributes.sorted(by: { $0.key < $1.key }) { element.fields.process(name, value) }
    path.append(element)
  }

  func text(_ piece: UnsafeRawBufferPointer) {
    guard let element = path.last, element.isLeaf, element.text.count < Self.valueLimit * 4 else { return }
    path[path.count - 1].text += piece.prefix(Self.valueLimit * 4)
  }

  func end(_ name: String) {
    guard !isPage, let element = path.popLast() else { return }
    if element.isLeaf, !element.text.isEmpty {
      let text = String(decoding: element.text, as: UTF8.self)
      if element.name == "refresh" { refresh = refresh ?? Int(text[...].trimmed) }
      if !path.isEmpty { path[path.count - 1].fields.process(element.name, text) }
    }
    let found = found(in: element)
    if path.isEmpty { ended += found } else { path[path.count - 1].events += found }
  }

  /// Returns the events in an element, or the element itself as an event.
  private func found(in element: Element) -> [NowPlayingEvent] {
    var own = element.fields.event
    let isTimed = own.start != nil || own.length != nil
    let holdsTimed = element.events.contains { $0.start != nil || $0.length != nil }
    // Live365 leaves this element empty if the current item is unknown.
    let isEvent = element.events.isEmpty && (own.isNamed || element.name == "playlistentry")
    if isEvent || own.isNamed && isTimed && !holdsTimed {
      own.phase =
        own.phase ?? NowPlayingEvent.Phase(saying: element.name)
        ?? path.last.flatMap { .init(saying: $0.name) }
      count += 1
      return [own]
    }
    guard element.events.count == 1, !own.isNamed else { return element.events }
    var only = element.events[0]
    only.start = only.start ?? own.start
    only.end = only.end ?? own.end
    only.length = only.length ?? own.length
    only.phase = only.phase ?? own.phase ?? NowPlayingEvent.Phase(saying: element.name)
    only.isSong = only.isSong && own.isSong
    return [only]
  }
}

private struct NowPlayingEventBuilder {
  private(set) var event = NowPlayingEvent()
  private var titleRank = Int.max
  private var artistRank = Int.max
  private var urlRank = Int.max
  private var startRank = Int.max

  mutating func process(_ name: String, _ value: String) {
    guard let field = NowPlayingField(name) else { return }
    switch field {
    case .title(let rank): if rank < titleRank, let words = words(value) { (event.title, titleRank) = (words, rank) }
    case .artist(let rank):
      if rank < artistRank, let words = words(value) { (event.artist, artistRank) = (words, rank) }
    case .url(let rank):
      // A part of an address is another address.
      let words = PlainText.words(ofHtml: Array(value.utf8), byteLimit: NowPlayingEventCollector.valueLimit + 1)
      if rank < urlRank, let words, !words.contains(" "), words.utf8.count <= NowPlayingEventCollector.valueLimit {
        (event.url, urlRank) = (words, rank)
      }
    case .start(let rank):
      if rank < startRank, let time = NowPlayingTime(value) { (event.start, startRank) = (time, rank) }
    case .end: event.end = event.end ?? NowPlayingTime(value)
    case .length: event.length = event.length ?? NowPlayingLength.seconds(value)
    case .type: event.isSong = event.isSong && NowPlayingEventType.maySing(value)
    case .status: event.phase = event.phase ?? NowPlayingEvent.Phase(saying: value)
    }
  }

  private func words(_ value: String) -> String? {
    PlainText.words(ofHtml: Array(value.utf8), byteLimit: NowPlayingEventCollector.valueLimit)
  }
}
