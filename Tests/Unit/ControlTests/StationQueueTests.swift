import Network
import Testing

@testable import Control

@Suite struct StationQueueTests {
  private func queue(_ count: Int) -> StationQueue {
    var queue = StationQueue()
    for number in 0..<count { queue.add(StationRequest(url: "http://radio.example/\(number)"), name: "\(number)") }
    return queue
  }

  private func names(_ queue: StationQueue) -> String { queue.stations.map(\.name).joined() }

  @Test(
    "Stations move like elements of a list",
    arguments: [
      (0..<1, 4, "12340", true), (4..<5, 0, "40123", true), (1..<3, 0, "12034", true), (1..<3, 3, "03412", true),
      (1..<3, 4, "01234", false), (0..<0, 2, "01234", true), (3..<6, 0, "01234", false), (0..<5, 0, "01234", true),
    ])
  func move(_ positions: Range<Int>, _ target: Int, _ expected: String, _ isDone: Bool) {
    var queue = queue(5)
    #expect(queue.move(positions, to: target) == isDone)
    #expect(names(queue) == expected)
  }

  @Test(
    "The nearest stations are neighbours, across the ends of the queue, each once (B5)",
    arguments: [(5, 0, 2, "14"), (5, 4, 4, "0312"), (2, 0, 2, "1"), (1, 0, 2, ""), (4, 1, 4, "203"), (9, 4, 0, "")])
  func neighbours(_ count: Int, _ place: Int, _ wanted: Int, _ expected: String) {
    let queue = queue(count)
    let found = queue.neighbours(of: queue.stations[place].id, count: wanted)
    #expect(found.map(\.name).joined() == expected)
    #expect(queue.neighbours(of: 999, count: 2).isEmpty)
  }

  @Test func idsStayWithTheirStationsAndAreNeverAnothers() {
    var queue = queue(4)
    let ids = queue.stations.map(\.id)
    queue.swap(0, 3)
    queue.delete(id: ids[1])
    #expect(queue.stations.map(\.id) == [ids[3], ids[2], ids[0]])
    let fresh = queue.add(StationRequest(url: "http://a/"), at: 0)
    #expect(fresh.map { !ids.contains($0) } == true)
    queue.clear()
    #expect(queue.add(StationRequest(url: "http://a/")).map { $0 > ids[3] + 1 } == true)
  }

  @Test("New facts of a station change its version, but not the list's")
  func facts() {
    var queue = StationQueue()
    for name in ["a", "b", "c"] { queue.add(StationRequest(url: "http://\(name).example/")) }
    let (version, listVersion, id) = (queue.version, queue.listVersion, queue.stations[1].id)
    queue.touch(id: id)
    #expect(queue.positions(changedSince: version) == [1])
    #expect(queue.listVersion == listVersion)
    let changes: [(inout StationQueue) -> Void] = [
      { $0.swap(0, 2) }, { $0.move(0..<1, to: 1) }, { $0.rename(id: id, "B") }, { $0.delete(id: id) }, { $0.clear() },
    ]
    for change in changes {
      let before = queue.listVersion
      change(&queue)
      #expect(queue.listVersion > before)
    }
  }

  @Test("A version identifies later changes", arguments: 0..<20)
  func versions(_ seed: Int) {
    var queue = queue(8)
    for _ in 0..<50 {
      let (before, version) = (queue.stations, queue.version)
      let (one, other) = (Int.random(in: 0..<10), Int.random(in: 0..<10))
      switch Int.random(in: 0..<6) {
      case 0: queue.add(StationRequest(url: "http://b/"), at: one)
      case 1: queue.delete(min(one, other)..<max(one, other))
      case 2: queue.move(min(one, other)..<max(one, other), to: Int.random(in: 0..<8))
      case 3: queue.swap(one, other)
      case 4: queue.shuffle(min(one, other)..<max(one, other))
      default: queue.prioritise(min(one, other)..<max(one, other), one)
      }
      let changed = Set(queue.positions(changedSince: version))
      for (position, station) in queue.stations.enumerated() where !changed.contains(position) {
        #expect(position < before.count && before[position].id == station.id)
        #expect(before[position].priority == station.priority)
      }
      #expect(Set(queue.stations.map(\.id)).count == queue.count)
      #expect(queue.stations.indices.allSatisfy { queue.position(of: queue.stations[$0].id) == $0 })
      let gone = Set(before.map(\.id)).subtracting(queue.stations.map(\.id))
      #expect(gone.allSatisfy { queue.position(of: $0) == nil })
      if queue.stations.map(\.id) != before.map(\.id) { #expect(queue.version > version) }
    }
    #expect(queue.positions(changedSince: queue.version).isEmpty)
    #expect(queue.positions(changedSince: .max).count == queue.count)
  }

  @Test("A preset equal to a station in other bytes uses no additional text space")
  func sameAddressInOtherBytes() {
    var queue = StationQueue()
    for _ in 0..<3 { queue.add(StationRequest(url: "http://h/\u{E9}"), name: "One") }
    queue.refresh(from: PresetList([Preset(name: "One", request: StationRequest(url: "http://h/e\u{301}"))]))
    #expect(queue.stations.allSatisfy { $0.request.url.byteCount == 12 })
    queue.clear()
    #expect(queue.count == 0)
  }

  @Test func itIsBounded() {
    var queue = queue(StationQueue.maxStations)
    #expect(queue.add(StationRequest(url: "http://a/")) == nil)
    queue.clear()
    let long = "http://a/" + String(repeating: "x", count: 60_000)
    var count = 0
    while queue.add(StationRequest(url: long)) != nil { count += 1 }
    #expect(count == StationQueue.maxTextBytes / long.utf8.count)
    queue.delete(0..<2)
    #expect(queue.add(StationRequest(url: long)) != nil)
  }

  @Test("Names use no more space than the queue has")
  func namesAreBounded() throws {
    var queue = queue(300)
    let long = String(repeating: "x", count: 16_000)
    let ids = queue.stations.map(\.id)
    let count = ids.count { queue.rename(id: $0, long) }
    #expect((60...65).contains(count))
    for id in ids { queue.replace(id: id, with: Preset(name: long, request: StationRequest(url: "http://a/"))) }
    let size = queue.stations.reduce(0) { $0 + $1.name.utf8.count + $1.request.url.byteCount }
    #expect(size <= StationQueue.maxTextBytes)
    // Shorter text is always accepted, and makes room.
    let full = try #require(queue.stations.first { $0.name == long })
    #expect(queue.rename(id: full.id, "short") && queue.rename(id: full.id, "longer"))
  }

  @Test("A client's name is short, and reverses no text")
  func tagged() throws {
    let bench = try Bench()
    bench.add("a")
    let client = bench.client()
    #expect(client.ask("addtagid 1 Name \"A\u{202E}B\u{85}C\u{2066} \(String(repeating: "x", count: 900))\"") == "OK\n")
    let name = try #require(bench.player.queue[0]?.name)
    #expect(name.hasPrefix("AB C x") && name.unicodeScalars.count == 100)
    #expect(!client.ask("playlistinfo").utf8.contains(0xE2))
  }

  @Test(
    "A station appears with its given address, or by name if the address is secret",
    arguments: [
      ("http://radio.example", "http://radio.example"), ("http://a/b#c", "http://a/b"),
      ("http://me:secret@a/b", "station:Ö 1"), ("http://a/b?secret", "station:Ö 1"),
      ("http://a/b?id=1", "http://a/b?id=1"),
    ])
  func secrets(_ given: String, _ shown: String) {
    var queue = StationQueue()
    queue.add(StationRequest(url: given), name: "Ö 1")
    #expect(queue[0]?.address == shown && queue[0]?.request.url.unredacted == given)
  }

  @Test("Two secret stations of one name differ, and a name is free after removal")
  func sameNames() {
    var queue = StationQueue()
    for url in ["http://a/?key=1", "http://a/?key=2", "http://a/?key=1"] {
      queue.add(StationRequest(url: url), name: "One")
    }
    queue.add(StationRequest(url: "http://anna:pw@b/c"))
    #expect(queue.stations.map(\.address) == ["station:One", "station:One (2)", "station:One", "station:http://b/c"])
    queue.clear()
    #expect(queue.hidden("station:One (2)")?.request.url.unredacted == "http://a/?key=2")
    queue.add(StationRequest(url: "http://a/?key=3"), name: "One")
    #expect(
      queue[0]?.address == "station:One" && queue.hidden("station:One")?.request.url.unredacted == "http://a/?key=3")
  }

  @Test("A station with a common name is found fast, and unused names are forgotten")
  func manyNames() {
    var queue = StationQueue()
    for number in 0..<10_000 { queue.add(StationRequest(url: "http://a/?key=\(number)"), name: "One") }
    #expect(queue.count == 10_000 && Set(queue.stations.map(\.address)).count == 10_000)
    #expect(queue[9_999]?.address == "station:One (10000)")
    queue.clear()
    let long = String(repeating: "x", count: 16_000)
    for number in 0..<300 {
      queue.add(StationRequest(url: "http://a/?key=\(number)\(long)"), name: "\(number)")
      queue.clear()
    }
    #expect(["One", "0", "299"].map { queue.hidden("station:\($0)") != nil } == [false, false, true])
  }

  @Test("Random order plays every station once, higher priorities first")
  func order() {
    var queue = queue(20)
    queue.prioritise(5..<8, 9)
    var order = PlayOrder()
    var seen: [Int] = []
    var current: Int? = queue[3]?.id
    while let id = current {
      seen.append(id)
      if seen.count == 10 { queue.add(StationRequest(url: "http://late/"), at: 0) }
      current = order.id(1, from: id, in: queue, isRandom: true, wraps: false)
    }
    #expect(seen.count == 21 && Set(seen).count == 21)
    #expect(Set(seen[1...3]) == Set([6, 7, 8]))
    #expect(seen != seen.sorted())
    #expect(order.id(-1, from: seen[5], in: queue, isRandom: true, wraps: false) == seen[4])
  }
}
