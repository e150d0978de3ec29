import Framing
import Listings
import Units

// What comes of a list: the addresses of a station, or files, one after the other.

extension Receiver {
  /// A list came whole: it is told of, and what it names is tried; of a podcast what is chosen then.
  func open(_ reception: Reception, _ kind: PlaylistKind, _ text: [UInt8]) {
    guard let base = candidates?.current.address else { return }
    if kind == .feed { return openFeed(reception, base) }
    if let trouble = excess(of: reception) { return failed(reception, trouble, mayPass: false) }
    candidates?.budget.end(at: now)
    var entries: [(address: WebAddress, title: String?)] = []
    var items: [FileList.Item] = []
    if let listed = try? PlaylistParser.entries(of: text.span, kind: kind) {
      var resolver = ListResolver(base, limit: PlaylistParser.textLimit)
      for entry in listed {
        guard let address = resolver.resolve(entry.reference) else { continue }
        // Some lists call an entry by its address.
        let title = entry.title.map { StationAddress.redacting(DisplayText.clean($0)) }
        entries.append((address, title))
        items.append(FileList.Item(url: address.url, title: title, seconds: entry.seconds))
      }
    }
    dropSpares()
    current = nil
    forgetSource()
    ranges = .parts
    let referral = referral(by: reception, isFeed: false)
    if !items.isEmpty { tell(FileList(url: shownURL, isFeed: false, items: items, referral: referral)) }
    if candidates?.open(entries, referral) == true { return connect() }
    let message = "The playlist \(shownURL) names no station that can be played; check its address."
    failed(reception, Trouble(.badPlaylist, url: shownURL, message: message), mayPass: false)
  }

  /// What is wrong where a list that comes is one too many, or takes too long: nothing more of lists is tried then.
  func excess(of reception: Reception) -> Trouble? {
    candidates?.budget.begin(at: reception.began)
    return excess
  }

  /// The same of the lists so far.
  private var excess: Trouble? {
    guard let candidates, candidates.budget.isSpent(at: now) else { return nil }
    // A list that was tried before came too slowly then.
    let isFirst = candidates.budget.count == 1
    let isMany = candidates.hasOpenedList || candidates.budget.count > ListBudget.mostLists
    let trouble = isMany ? trouble(.onlyLists, request.url) : isFirst ? endless : tooSlow
    self.candidates?.abandonLists()
    return trouble
  }

  /// A podcast's feed came: nothing is asked for before one of its episodes is chosen.
  private func openFeed(_ reception: Reception, _ base: WebAddress) {
    candidates?.budget.countFeed()
    if let trouble = feedInFeed ?? excess { return failed(reception, trouble, mayPass: false) }
    current = nil
    forgetSource()
    ranges = .parts
    let feed = reception.intake?.takeFeed()
    var resolver = ListResolver(base, limit: FeedReader.textLimit)
    var items = (feed?.episodes ?? []).compactMap { episode -> FileList.Item? in
      guard let address = resolver.resolve(episode.reference), address.url != base.url else { return nil }
      return FileList.Item(
        url: address.url, title: episode.title, identifier: episode.identifier, date: episode.date,
        seconds: episode.seconds)
    }
    guard !items.isEmpty else {
      let message = "The podcast \(shownURL) has no episode that can be played; check its address."
      return failed(reception, Trouble(.badPlaylist, url: shownURL, message: message), mayPass: false)
    }
    // A story is told from its beginning.
    if feed?.isSerial == true {
      let isDated = items.allSatisfy { $0.date != nil }
      items = isDated ? items.sorted { ($0.date ?? 0) < ($1.date ?? 0) } : items.reversed()
    }
    let referral = referral(by: reception, isFeed: true)
    tell(FileList(url: shownURL, title: feed?.title, isFeed: true, items: items, referral: referral))
  }
}
