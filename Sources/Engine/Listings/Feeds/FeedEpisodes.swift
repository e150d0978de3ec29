final class FeedEpisodes: XmlHandler {
  private(set) var feed = Feed()
  private(set) var isFull = false

  private struct Element {
    var name: FeedName
    var base: ReferenceBase?
  }

  private struct Item {
    var depth: Int
    var titles: [FeedName.Vocabulary: String] = [:]
    var identifier: String?
    var enclosure: Enclosure?
    var enclosureCount = 0
    /// A link to audio, used only without an enclosure.
    var link: Enclosure?
    var seconds: Int?
    var date: (seconds: Int64, rank: Int)?
  }

  /// The text of one element, including its descendants.
  private struct Words {
    var depth: Int
    var isHtml: Bool
    var bytes: [UInt8] = []
  }

  private var path: [Element] = []
  private var names = FeedNames()
  private var titles: [FeedName.Vocabulary: String] = [:]
  private var item: Item?
  private var words: Words?
  /// UTF-8 bytes in all retained episodes.
  private var textLength = 0
  private var budget = ResolvingBudget(byteCount: 1 << 20)
  /// Maximum number of enclosures examined per episode.
  private static let enclosureLimit = 64

  /// Maximum number of bytes per text; generous, because a title may contain much markup.
  private static let wordLimit = FeedLimits.maxReferenceLength + 1

  func start(_ name: String, attributes: [String: String]) {
    names.declare(attributes)
    let name = names.name(name)
    let above = path.last?.base
    let base = ReferenceBase(attributes["xml:base"], above: above)
    path.append(Element(name: name, base: base ?? above))
    if name.vocabulary == .feed, name.local == "item" || name.local == "entry" {
      finishItem()
      words = nil
      item = Item(depth: path.count)
      item?.identifier = attributes["rdf:about"].flatMap(Self.identifier)
    } else if words != nil {
      if name.local == "br" || name.local == "p" { append(CollectionOfOne(0x20)) }
    } else if hasWords(name), !isLink(name) || attributes["href"] == nil {
      let type = attributes["type"]?[...].asciiLowercased
      let isAtom = path.dropLast().last?.name.local == "entry" || path.dropLast().last?.name.local == "feed"
      words = Words(depth: path.count, isHtml: !isAtom || type == "html" || type == "text/html")
    } else if item != nil {
      processEnclosure(name, attributes)
    }
  }

  func text(_ piece: UnsafeRawBufferPointer) { append(piece) }

  private func append(_ piece: some Collection<UInt8>) {
    guard let count = words?.bytes.count, count < Self.wordLimit else { return }
    words?.bytes += piece.prefix(Self.wordLimit - count)
  }

  func end(_ name: String) {
    if let words, words.depth == path.count {
      self.words = nil
      if let name = path.last?.name { process(words, name) }
    }
    if item?.depth == path.count { finishItem() }
    _ = path.popLast()
  }

  // MARK: Relevant elements

  /// True if the innermost element's text is needed: a direct child of an item, RSS channel or Atom feed.
  private func hasWords(_ name: FeedName) -> Bool {
    guard let parent = path.dropLast().last?.name, parent.vocabulary == .feed else { return false }
    if let item {
      guard path.count == item.depth + 1 else { return false }
      return name.isTitle || name.isIdentifier || name.dateRank != nil || name.isDuration || isLink(name)
    }
    guard parent.local == "channel" || parent.local == "feed" else { return false }
    return name.isTitle || name.isType
  }

  private func process(_ words: Words, _ name: FeedName) {
    let text = words.bytes
    if name.isTitle {
      let isKnown = (item?.titles ?? titles)[name.vocabulary] != nil
      if isKnown { return }
      let title =
        words.isHtml
        ? PlainText.words(ofHtml: text, byteLimit: FeedLimits.maxTitleLength)
        : PlainText.words(text, byteLimit: FeedLimits.maxTitleLength)
      if item != nil {
        item?.titles[name.vocabulary] = title
      } else {
        titles[name.vocabulary] = title
        feed.title = titles[.feed] ?? titles[.itunes]
      }
    } else if item == nil {
      feed.isSerial = String(decoding: text, as: UTF8.self)[...].trimmed.asciiLowercased == "serial"
    } else if name.isIdentifier {
      if let identifier = Self.identifier(String(decoding: text, as: UTF8.self)) { item?.identifier = identifier }
    } else if isLink(name) {
      processLink(String(decoding: text, as: UTF8.self), type: nil)
    } else if name.isDuration {
      if let seconds = Self.duration(text) { item?.seconds = seconds }
    } else if let rank = name.dateRank, rank < item?.date?.rank ?? .max, let date = FeedDate.seconds(text) {
      item?.date = (date, rank)
    }
  }

  private func processEnclosure(_ name: FeedName, _ attributes: [String: String]) {
    // RSS 1.0 prefixes its attributes.
    func attribute(_ name: String) -> Substring? {
      (attributes[name] ?? attributes["enc:" + name] ?? attributes["rdf:" + name])?[...]
    }
    let address: Substring?
    switch (name.vocabulary, name.local) {
    case (.feed, "enclosure"): address = attribute("url") ?? attribute("resource")
    case (.feed, "link") where attribute("rel")?.trimmed.asciiLowercased == "enclosure": address = attribute("href")
    case (.feed, "link"): return processLink(attributes["href"] ?? "", type: attribute("type"))
    case (.media, "content"): address = attribute("url")
    default: return
    }
    let isMedia = name.vocabulary == .media
    let medium = isMedia ? attribute("medium")?.trimmed.asciiLowercased : nil
    if isMedia, item?.seconds == nil { item?.seconds = attribute("duration").flatMap { Self.duration(Array($0.utf8)) } }
    // The first playable enclosure wins; the limit bounds the work.
    guard item?.enclosure?.suitability != .playable, item?.enclosureCount ?? 0 < Self.enclosureLimit else { return }
    item?.enclosureCount += 1
    guard let reference = address.flatMap({ Reference($0) }),
      let enclosure = Enclosure(
        reference, type: attribute("type") ?? (medium == "audio" ? nil : medium.map { $0[...] + "/*" }),
        isNamed: !isMedia || medium == "audio")
    else { return }
    if let known = item?.enclosure, known.suitability.rawValue <= enclosure.suitability.rawValue { return }
    let resolved = budget.resolve(reference, against: path.last?.base)
    if budget.isSpent { isFull = true }
    if let resolved { item?.enclosure = enclosure.found(at: resolved) }
  }

  /// True for the link of RSS, whose text is an address.
  private func isLink(_ name: FeedName) -> Bool {
    name.vocabulary == .feed && name.local == "link" && path.dropLast().last?.name.local == "item"
  }

  /// Records a link whose type or suffix is that of audio, such as `<link>http://a.example/1.mp3</link>`.
  private func processLink(_ address: String, type: Substring?) {
    guard item?.link == nil, item?.enclosureCount ?? 0 < Self.enclosureLimit else { return }
    item?.enclosureCount += 1
    guard let reference = Reference(address[...]),
      let enclosure = Enclosure(reference, type: type, isNamed: false)
    else { return }
    let resolved = budget.resolve(reference, against: path.last?.base)
    if budget.isSpent { isFull = true }
    if let resolved { item?.link = enclosure.found(at: resolved) }
  }

  /// Returns the feed, with the newest episodes of a feed in ascending order.
  func finish() -> Feed {
    dropFirstEpisodes()
    return feed
  }

  private func dropFirstEpisodes() {
    let excess = max(0, feed.episodes.count - FeedLimits.maxEpisodeCount)
    textLength -= feed.episodes.prefix(excess).reduce(0) { $0 + Self.textLength(of: $1) }
    feed.episodes.removeFirst(excess)
  }

  /// True if the newest episodes are probably at the end: the dates of the first and the last episode ascend.
  private var isAscending: Bool {
    guard !feed.isSerial, let first = feed.episodes.first?.date, let last = feed.episodes.last?.date else {
      return false
    }
    return first < last
  }

  private func finishItem() {
    defer { item = nil }
    guard let item, let enclosure = item.enclosure ?? item.link, !isFull else { return }
    let episode = Episode(
      reference: enclosure.reference.text, title: item.titles[.feed] ?? item.titles[.itunes],
      date: item.date?.seconds, seconds: item.seconds, identifier: item.identifier)
    textLength += Self.textLength(of: episode)
    guard textLength <= FeedLimits.maxTextLength else { return isFull = true }
    feed.episodes.append(episode)
    guard feed.episodes.count >= FeedLimits.maxEpisodeCount else { return }
    isFull = !isAscending
    if feed.episodes.count >= 2 * FeedLimits.maxEpisodeCount { dropFirstEpisodes() }
  }

  // MARK: Values

  private static func textLength(of episode: Episode) -> Int {
    episode.reference.utf8.count + episode.identifier.utf8.count + (episode.title?.utf8.count ?? 0)
  }

  private static func identifier(_ text: String) -> String? {
    let identifier = text[...].trimmed
    return identifier.isEmpty || identifier.utf8.count > FeedLimits.maxReferenceLength ? nil : String(identifier)
  }

  /// Returns the whole seconds of "H:MM:SS", "MM:SS" or "SSSS", each with an optional fraction; nil if 0.
  private static func duration(_ text: [UInt8]) -> Int? {
    let words = String(decoding: text, as: UTF8.self)[...].trimmed
    let parts = words.split(separator: ":", omittingEmptySubsequences: false)
    guard 1...3 ~= parts.count else { return nil }
    var seconds = 0
    for part in parts {
      let digits = part.trimmed.utf8.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      guard digits.count <= 6, let number = Int(Substring(digits)) else { return nil }
      seconds = seconds * 60 + number
    }
    return seconds > 0 ? seconds : nil
  }
}
