import Testing
import Units

@testable import Http
@testable import Network
@testable import RadioEngine

@Suite struct ItemQueueTests {
  private static func request(_ name: String) -> StationRequest { StationRequest(url: "http://h/\(name)") }

  private static func list(_ names: String..., isFeed: Bool = true) -> FileList {
    FileList(
      url: "http://h/feed", isFeed: isFeed,
      items: names.map { FileList.Item(url: StationAddress("http://h/\($0)"), title: $0.uppercased()) })
  }

  private static func facts(_ name: String) -> StationFacts {
    StationFacts(
      url: "http://h/\(name)", name: nil, genre: nil, homePage: nil, contentType: nil, toldBitRate: nil, metaint: nil,
      isLive: false, byteCount: nil, isSeekable: true)
  }

  private static func place(_ base: Double, border: Double? = nil) -> FilePlace {
    FilePlace(base: StreamTime(seconds: base), border: StreamTime(seconds: border ?? base))
  }

  private static func beginning(_ item: FileList.Item) -> Double { item.title == "B" ? 30 : 0 }

  /// A queue that plays item number `item` of the list a, b and c.
  private static func playing(_ item: Int?) -> ItemQueue {
    var queue = ItemQueue()
    queue.tune(request("feed"))
    queue.begin(request("feed"))
    queue.store(list("a", "b", "c"))
    if let item { queue.recordArrival(at: item) }
    return queue
  }

  @Test("A changed setting reaches the current request, and later items of its list")
  func adjusts() {
    var queue = Self.playing(0)
    queue.adjust(RequestChange(dataTimeout: Duration(seconds: 3), userAgent: "Kitchen"))
    #expect(queue.request?.userAgent == "Kitchen" && queue.request?.dataTimeout == Duration(seconds: 3))
    #expect(queue.chosen?.userAgent == "Kitchen" && queue.chosen?.dataTimeout == Duration(seconds: 3))
  }

  // MARK: The tuned request

  @Test("The selected request plays next, else the tuned one; a new programme clears the selection")
  func chooses() {
    var queue = ItemQueue()
    #expect(queue.chosen == nil && !queue.hasSelected)
    queue.select(Self.request("s"))
    #expect(queue.chosen?.url == Self.request("s").url && queue.hasSelected)
    queue.tune(Self.request("t"))
    queue.begin(Self.request("t"))
    #expect(queue.chosen?.url == Self.request("t").url && !queue.hasSelected)
    #expect(queue.station?.url == queue.request?.url)
  }

  @Test("Another station clears the list and the follower")
  func tunes() {
    var queue = Self.playing(1)
    queue.follower = Self.request("next")
    #expect(queue.shownList != nil)
    queue.tune(Self.request("t"))
    #expect(queue.list == nil && queue.item == nil && queue.follower == nil && queue.shownList == nil)
  }

  @Test("A recognised file is requested as a file")
  func turnsOut() {
    var queue = Self.playing(nil)
    queue.treatAsFile()
    #expect(queue.station?.mode == .file && queue.request?.mode == .file)
  }

  @Test("A new programme has no files before or after it")
  func begins() {
    var queue = Self.playing(0)
    _ = Self.say(&queue)
    _ = queue.appendFollower(Self.facts("b"), at: Self.place(50), token: 1)
    queue.begin(Self.request("t"))
    #expect(queue.border == nil && queue.fileNumber == 0 && queue.request?.url == Self.request("t").url)
  }

  // MARK: A list

  @Test(
    "An item is requested by number, from its start position",
    arguments: [(0, "a", 0.0), (1, "b", 30), (2, "c", 0)])
  func items(_ number: Int, _ name: String, _ start: Double) {
    let asked = Self.playing(nil).request(for: number, start: Self.beginning)
    #expect(asked?.url == Self.request(name).url && asked?.start == StreamTime(seconds: start) && asked?.mode == .file)
  }

  @Test("An item uses its list's facts, and nothing of the list's own")
  func referred() throws {
    let address = try WebAddress("http://h/feed")
    var (queue, asked) = (ItemQueue(), Self.request("feed"))
    asked.addressKind = .raw
    queue.tune(asked)
    var list = Self.list("a", "b")
    list.referral = AddressOrigin(of: address, home: .global, from: address, isFeed: true)
    queue.store(list)
    let item = queue.request(for: 1, start: Self.beginning)
    #expect(item?.referral != nil && item?.referral == list.referral && item?.addressKind == .automatic)
  }

  @Test("A playing item reports its number, and its address if the number is unknown")
  func tells() {
    let queue = Self.playing(nil)
    let address = "http://h/b"
    #expect(queue.startEvents(of: 1, url: nil) == [.itemBegan(index: 2, count: 3, title: "B", url: address)])
    #expect(queue.startEvents(of: 1, url: "u") == [.itemBegan(index: 2, count: 3, title: "B", url: "u")])
    #expect(queue.startEvents(of: 3, url: nil).isEmpty && ItemQueue().startEvents(of: 0, url: nil).isEmpty)
  }

  @Test("A newly opened list has no audible item")
  func opens() {
    var queue = Self.playing(1)
    queue.store(Self.list("d", "e"))
    #expect(queue.item == nil && queue.list?.items.count == 2)
  }

  @Test("The first item starts at the requested position")
  func firstItem() {
    var queue = ItemQueue()
    var asked = Self.request("feed")
    asked.start = StreamTime(seconds: 12)
    queue.tune(asked)
    queue.store(Self.list("a", "b", isFeed: false))
    #expect(queue.request(for: 0, start: { _ in 5 })?.start == StreamTime(seconds: 12))
    #expect(queue.request(for: 0, start: { _ in 5 })?.mode == .automatic)
  }

  @Test("No item exists past a list, or without one", arguments: [-1, 3, .max])
  func noItem(_ number: Int) {
    #expect(Self.playing(nil).request(for: number, start: Self.beginning) == nil)
    #expect(Self.playing(nil).listItem(number) == nil)
    #expect(ItemQueue().request(for: 0, start: Self.beginning) == nil)
    #expect(ItemQueue().listItem(nil) == nil)
  }

  @Test("A podcast's list is shown before its audio, another list only then")
  func shows() {
    #expect(Self.playing(nil).shownList != nil)
    var queue = ItemQueue()
    queue.store(Self.list("a", isFeed: false))
    #expect(queue.shownList == nil)
    queue.recordArrival(at: 0)
    #expect(queue.shownList != nil)
  }

  // MARK: Successors

  /// Orders the successor. Returns its name and token, or nil if already ordered.
  private static func say(_ queue: inout ItemQueue) -> String? {
    let next = queue.next(start: beginning)
    return queue.order(next).map { token in "\(next?.request.url.unredacted.suffix(1) ?? "none") \(token)" }
  }

  @Test("A follower is ordered once, and again when it changes")
  func arranges() {
    var queue = Self.playing(1)
    #expect(Self.say(&queue) == "c 1")
    #expect(Self.say(&queue) == nil)
    queue.recordArrival(at: 2)
    #expect(Self.say(&queue) == "none 2")
    queue.follower = Self.request("f")
    #expect(Self.say(&queue) == "f 3")
    queue.follower = nil
    #expect(Self.say(&queue) == "none 4")
    #expect(Self.say(&queue) == nil)
  }

  @Test("The next item follows in the ring, and is audible from its border")
  func follows() {
    var queue = Self.playing(1)
    _ = Self.say(&queue)
    #expect(queue.border == nil)
    #expect(queue.appendFollower(Self.facts("c"), at: Self.place(60, border: 59), token: 1) == 2)
    #expect(queue.border == StreamTime(seconds: 59) && queue.base == .zero && queue.fileNumber == 0)
    guard case .item(2, let facts) = queue.advance(heard: 59) else {
      Issue.record("the item follows")
      return
    }
    #expect(facts.url == "http://h/c" && queue.request?.url == Self.request("c").url)
    #expect(queue.border == nil && queue.base == StreamTime(seconds: 60) && queue.fileNumber == 1)
    #expect(queue.heardBefore == 59 && queue.item == 1, "who advances says that it arrived")
  }

  @Test("A follower becomes the tuned request")
  func followerAdvances() {
    var queue = Self.playing(2)
    queue.follower = Self.request("f")
    #expect(Self.say(&queue) == "f 1")
    #expect(queue.appendFollower(Self.facts("f"), at: Self.place(60), token: 1) == nil)
    // An unheard file cannot have a successor.
    #expect(Self.say(&queue) == "none 2")
    guard case .follower = queue.advance(heard: 60) else {
      Issue.record("the follower follows")
      return
    }
    #expect(queue.station?.url == Self.request("f").url && queue.list == nil && queue.follower == nil)
    #expect(queue.item == nil)
  }

  @Test("A buffered but unwanted follower is reported as such")
  func unwanted() {
    var queue = Self.playing(nil)
    queue.follower = Self.request("f")
    #expect(Self.say(&queue) == "f 1")
    queue.follower = Self.request("g")
    #expect(Self.say(&queue) == "g 2")
    #expect(queue.appendFollower(Self.facts("f"), at: Self.place(60), token: 1) == nil)
    guard case .unwanted = queue.advance(heard: 60) else {
      Issue.record("it is not wanted")
      return
    }
    #expect(queue.request?.url == Self.request("feed").url)
  }

  @Test("A buffered follower is unwanted once another is set")
  func disowned() {
    var queue = Self.playing(2)
    queue.follower = Self.request("f")
    #expect(Self.say(&queue) == "f 1")
    _ = queue.appendFollower(Self.facts("f"), at: Self.place(60), token: 1)
    queue.follower = Self.request("g")
    _ = Self.say(&queue)
    guard case .unwanted = queue.advance(heard: 60) else {
      Issue.record("it is not wanted")
      return
    }
  }

  @Test("A corrected position and length belong to the file that arrived last")
  func learns() {
    var queue = Self.playing(0)
    var facts: StationFacts? = Self.facts("a")
    queue.correct(by: StreamTime(seconds: 2))
    queue.updateLength(StreamTime(seconds: 100), of: &facts)
    #expect(queue.base == StreamTime(seconds: -2) && facts?.duration == StreamTime(seconds: 100))
    _ = Self.say(&queue)
    _ = queue.appendFollower(Self.facts("b"), at: Self.place(50), token: 1)
    queue.correct(by: StreamTime(seconds: 3))
    queue.updateLength(StreamTime(seconds: 70), of: &facts)
    #expect(facts?.duration == StreamTime(seconds: 100))
    guard case .item(1, let next) = queue.advance(heard: 50) else {
      Issue.record("the item follows")
      return
    }
    #expect(next.duration == StreamTime(seconds: 70) && queue.base == StreamTime(seconds: 47))
  }

  @Test("A restarted file is the first of its programme, and the follower is ordered again")
  func restarts() {
    var queue = Self.playing(0)
    _ = Self.say(&queue)
    _ = queue.appendFollower(Self.facts("b"), at: Self.place(50), token: 1)
    queue.restart()
    #expect(queue.border == nil && queue.base == .zero)
    #expect(Self.say(&queue) == "b 2")
  }
}
