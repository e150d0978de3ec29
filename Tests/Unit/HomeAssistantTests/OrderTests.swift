import Testing
import Units

@testable import HomeAssistant

/// Orders in a broker's messages (M2).
struct OrderTests {
  static let own = "bakelite/\(Samples.identity.id)/set/"

  @Test(
    "An order is read from its topic and text; other messages are ignored (M2)",
    arguments: [
      (own + "play", "PRESS", .order(.play)), (own + "pause", "PRESS", .order(.pause)),
      (own + "next", "PRESS", .order(.next)), (own + "keep", "PRESS", .order(.keep)),
      (own + "play", "press", nil), (own + "play", "", nil), (own + "halt", "PRESS", nil), (own, "PRESS", nil),
      (own + "stop", "PRESS", .order(.stop)), (own + "power", "ON", .order(.power(true))),
      (own + "power", "OFF", .order(.power(false))), (own + "power", "PRESS", nil), (own + "stop", "ON", nil),
      (own + "play/x", "PRESS", nil), ("x/" + own + "play", "PRESS", nil), ("bakelite/other/set/play", "PRESS", nil),
      (own + "volume", "0", .order(.volume(0))), (own + "volume", "100", .order(.volume(100))),
      (own + "volume", "41.6", .order(.volume(42))), (own + "volume", "100.0", .order(.volume(100))),
      (own + "volume", "100.4", nil), (own + "volume", "101", nil), (own + "volume", "-1", nil),
      (own + "volume", "1e1", nil), (own + "volume", "0x10", nil), (own + "volume", "", nil),
      (own + "volume", ".", nil),
      (own + "volume", "5.", nil), (own + "volume", "nan", nil), (own + "volume", " 5", nil),
      (own + "volume", "0000000005", nil), (own + "volume", "1.2.3", nil),
      (own + "sleep", "30", .order(.sleep(30))), (own + "sleep", "0", .order(.sleep(0))),
      (own + "sleep", "1440.0", .order(.sleep(1_440))), (own + "sleep", "1441", nil), (own + "sleep", "off", nil),
      (own + "sleep", "-1", nil), (own + "sleep", "00030", nil),
      (own + "station", "One \"2\"", .order(.station("One \"2\""))), (own + "station", "", nil),
      ("homeassistant/status", "online", .birth), ("homeassistant/status", "offline", nil),
      ("homeassistant/status", "PRESS", nil),
    ] as [(String, String, OrderReader.Meaning?)])
  func orders(_ topic: String, _ text: String, _ meaning: OrderReader.Meaning?) {
    #expect(OrderReader(Samples.topics).meaning(of: topic, Array(text.utf8), isRetained: false) == meaning)
  }

  @Test("A retained order is ignored; a retained birth message counts")
  func retained() {
    let reader = OrderReader(Samples.topics)
    #expect(reader.meaning(of: Self.own + "play", Array("PRESS".utf8), isRetained: true) == nil)
    #expect(reader.meaning(of: "homeassistant/status", Array("online".utf8), isRetained: true) == .birth)
  }

  @Test("Invalid UTF-8 or overlong text is not an order")
  func bytes() {
    let reader = OrderReader(Samples.topics)
    #expect(reader.meaning(of: Self.own + "station", [0x61, 0xFF], isRetained: false) == nil)
    let long = [UInt8](repeating: 0x61, count: OrderReader.maxLength + 1)
    #expect(reader.meaning(of: Self.own + "station", long, isRetained: false) == nil)
    #expect(reader.meaning(of: Self.own + "station", long.dropLast(), isRetained: false) != nil)
  }

  @Test("A flood passes on few orders, and only the last volume")
  func flood() {
    var queue = OrderQueue()
    let now = MonotonicTime.zero + Duration(milliseconds: 5_000)
    var accepted = 0
    for number in 0..<10_000 {
      if queue.add(.next, at: now) { accepted += 1 }
      let isNew = queue.add(.volume(number % 101), at: now)
      #expect(isNew == (number == 0))
    }
    let orders = queue.removeAll(at: now)
    #expect(accepted == 8 && orders.count == 9 && orders.last == .volume(9_999 % 101))
    let none = queue.removeAll(at: now)
    #expect(none.isEmpty)
    let later = [0, 250, 250].map { queue.add(.next, at: now + Duration(milliseconds: $0)) }
    #expect(later == [false, true, false])
    // The orders stay queued for an hour.
    let taken = (1...100).map { queue.add(.play, at: now + Duration(milliseconds: $0 * 36_000)) }
    let isVolumeNew = queue.add(.volume(3), at: now)
    let all = queue.removeAll(at: now + Duration(milliseconds: 3_600_000))
    #expect(taken.count { $0 } == 15 && all.count == 17 && isVolumeNew && all.last == .volume(3))
  }

  @Test("A slider's volume passes once per tenth of a second, other orders between, and the last one always")
  func slider() {
    var queue = OrderQueue()
    var given: [(order: HomeOrder, at: Int)] = []
    func moment(_ milliseconds: Int) -> MonotonicTime { .zero + Duration(milliseconds: Int64(5_000 + milliseconds)) }
    #expect(queue.due == .never)
    for millisecond in 0...1_000 {
      if millisecond <= 950, millisecond % 2 == 0 { _ = queue.add(.volume(millisecond / 10), at: moment(millisecond)) }
      if millisecond == 555 { _ = queue.add(.next, at: moment(millisecond)) }
      given += queue.removeAll(at: moment(millisecond)).map { ($0, millisecond) }
      if millisecond == 555 { #expect(queue.due == moment(600)) }
    }
    let volumes = given.filter { $0.order != .next }
    #expect(volumes.map(\.at) == Array(stride(from: 0, through: 1_000, by: 100)) && queue.due == .never)
    #expect(volumes.last?.order == .volume(95))
    #expect(given.filter { $0.order == .next }.map(\.at) == [555])
  }
}
