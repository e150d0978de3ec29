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
    let list = ListContents(text, kind, at: base)
    closeLines()
    forgetSource()
    ranges = .parts
    let referral = referral(by: reception, isFeed: false)
    if !list.items.isEmpty {
      output.tell(FileList(url: troubles.shownURL, isFeed: false, items: list.items, referral: referral))
    }
    if candidates?.open(list.entries, referral) == true { return connect() }
    failed(reception, troubles.emptyList, mayPass: false)
  }

  /// What is wrong where a list that comes is one too many, or takes too long: nothing more of lists is tried then.
  func excess(of reception: Reception) -> PlaybackFault? {
    candidates?.budget.begin(at: reception.began)
    return excess
  }

  /// The same of the lists so far.
  private var excess: PlaybackFault? {
    guard let candidates, candidates.budget.isSpent(at: now) else { return nil }
    // A list that was tried before came too slowly then.
    let isFirst = candidates.budget.count == 1
    let isMany = candidates.hasOpenedList || candidates.budget.count > ListBudget.mostLists
    let trouble =
      isMany ? troubles.error(.onlyLists, of: request.url) : isFirst ? troubles.endless : troubles.tooSlow
    self.candidates?.abandonLists()
    return trouble
  }

  /// An episode that is a feed; nil where none was asked for. A feed that names a feed could go on for ever.
  var feedInFeed: PlaybackFault? { request.referral?.isFeed == true ? troubles.feedInFeed : nil }

  /// A podcast's feed came: nothing is asked for before one of its episodes is chosen.
  private func openFeed(_ reception: Reception, _ base: WebAddress) {
    candidates?.budget.countFeed()
    if let trouble = feedInFeed ?? excess { return failed(reception, trouble, mayPass: false) }
    closeLines()
    forgetSource()
    ranges = .parts
    let feed = ListContents(reception.intake?.takeFeed(), at: base)
    guard !feed.items.isEmpty else { return failed(reception, troubles.emptyFeed, mayPass: false) }
    let referral = referral(by: reception, isFeed: true)
    output.tell(
      FileList(url: troubles.shownURL, title: feed.title, isFeed: true, items: feed.items, referral: referral))
  }
}
