import Foundation
import PanelWords
import SeededRandom
import Settings
import TestSupport
import Testing
import Units

@Suite("Saved state")
struct SavedStateTests {
  @Test("A saved state is loaded")
  func roundTrip() throws {
    let folder = TemporaryFolder()
    let file = StateFile(folder: folder.path)
    #expect(file.load().content == nil)
    #expect(file.load().problem == nil)
    var state = SavedState()
    for mode in KnobMode.allCases {
      (state.stationURL, state.stationName) = ("http://a.example/?k=v", "Ö1 = \"x\" \\")
      state.isFromDirectory = true
      (state.volume, state.knobMode, state.isMuted) = (100, mode, true)
      (state.intent, state.sleep) = (.standby, SavedSleep(minutes: 29, end: 1_763_722_223))
      state.wallClock = 1_763_722_222
      state.face = "spectrum"
      try file.save(state)
      #expect(file.load().content == state)
    }
    try file.save(SavedState())
    #expect(file.load().content == SavedState())
    #expect(file.load().problem == nil)
  }

  @Test("A name with a line break is saved without it")
  func lineBreaks() throws {
    let folder = TemporaryFolder()
    let file = StateFile(folder: folder.path)
    var state = SavedState()
    state.stationName = "a\nvolume=99\r\n"
    try file.save(state)
    #expect(file.load().content?.stationName == "avolume=99")
    #expect(file.load().content?.volume == SavedState().volume)
  }

  @Test("A file with any wrong, lost or extra byte is set aside with a sentence, and the state is new")
  func damage() throws {
    let folder = TemporaryFolder()
    let file = StateFile(folder: folder.path)
    var state = SavedState()
    (state.stationURL, state.volume) = ("http://a.example/", 77)
    try file.save(state)
    let good = folder.bytes(of: "state")
    var damaged = good.indices.map { Array(good[..<$0]) } + [good + [0x0A], [0] + good]
    for index in good.indices {
      var bytes = good
      bytes[index] ^= 1 << (index % 8)
      damaged.append(bytes)
    }
    damaged.append(Array(repeating: 0x61, count: 100_000))
    for bytes in damaged {
      folder.write(bytes, to: "state")
      let (loaded, problem) = file.load()
      #expect(loaded == nil, "\(String(decoding: bytes.prefix(200), as: UTF8.self))")
      #expect(
        problem?.description.contains("it is kept as \(file.path).broken, and the radio begins as a new one") == true)
      #expect(folder.bytes(of: "state.broken") == bytes)
      #expect(file.load().problem == nil)
    }
  }

  @Test("A later version's file is read; another format is not")
  func versions() throws {
    let folder = TemporaryFolder()
    let file = StateFile(folder: folder.path)
    try file.save(SavedState())
    let text = String(decoding: folder.bytes(of: "state"), as: UTF8.self)
    #expect(text.hasPrefix("bakelite-state 1\nvolume=30\nknob=tune\nmuted=no\nintent=playing\nclock=0\nchecksum="))
    let body = "bakelite-state 1\nvolume=12\nbalance=3\n"
    folder.write(Array("\(body)checksum=\(crc32(body))\n".utf8), to: "state")
    #expect(file.load().content?.volume == 12)
    let other = "bakelite-state 2\nvolume=12\n"
    folder.write(Array("\(other)checksum=\(crc32(other))\n".utf8), to: "state")
    #expect(file.load().problem != nil)
  }

  @Test("Version 0.2 stored standby alone; a word or a timer that is not valid is damage (I2)")
  func intent() throws {
    let folder = TemporaryFolder()
    let file = StateFile(folder: folder.path)
    for (line, intent) in [
      ("standby=yes", .standby), ("standby=no", .playing), ("intent=stopped", .stopped), ("intent=paused", .paused),
      ("sleep=1440 0", .playing), ("intent=on", nil), ("sleep=0 0", nil), ("sleep=1441 0", nil), ("sleep=3", nil),
      ("sleep=3 -1", nil), ("sleep=3 4 5", nil),
    ] as [(String, PlaybackIntent?)] {
      let body = "bakelite-state 1\n\(line)\n"
      folder.write(Array("\(body)checksum=\(crc32(body))\n".utf8), to: "state")
      #expect(file.load().content?.intent == intent, "\(line)")
    }
  }

  /// CRC-32 by definition, bit by bit from the top of the reflected polynomial.
  private func crc32(_ text: String) -> String {
    var register: UInt32 = ~0
    for byte in text.utf8 {
      for bit in 0..<8 {
        let isOdd = (register & 1 == 1) != (byte >> bit & 1 == 1)
        register >>= 1
        if isOdd { register ^= 0xEDB8_8320 }
      }
    }
    return String(format: "%08x", ~register)
  }
}

@Suite("Saved state writer")
struct SavedStateWriterTests {
  @Test("A change is written after a stable second, further ones together ten seconds later")
  func coalesces() {
    var writer = SavedStateWriter(written: SavedState())
    #expect(writer.due == .never)
    writer.update(SavedState(), at: time(0))
    #expect(writer.due == .never && writer.nextState(at: time(0)) == nil)
    writer.update(state(1), at: time(4))
    #expect(writer.due == time(5) && writer.nextState(at: time(4.999)) == nil)
    #expect(writer.nextState(at: time(5))?.volume == 1)
    for volume in 2...50 {
      writer.update(state(volume), at: time(5 + Double(volume) / 10))
      #expect(writer.nextState(at: time(5 + Double(volume) / 10)) == nil)
    }
    #expect(writer.due == time(15))
    #expect(writer.nextState(at: time(14.999)) == nil)
    #expect(writer.nextState(at: time(15))?.volume == 50)
    #expect(writer.due == .never)
  }

  @Test("A value passed by the knob is not written; a never-resting knob's is after ten seconds")
  func passes() {
    var writer = SavedStateWriter(written: state(0))
    for turn in 1...3 { writer.update(state(turn), at: time(Double(turn) * 0.9)) }
    #expect(writer.due == time(3.7) && writer.nextState(at: time(3.7))?.volume == 3)
    var writes: [Double] = []
    for tenth in 200...450 {
      let now = Double(tenth) / 10
      writer.update(state(tenth), at: time(now))
      if writer.nextState(at: time(now))?.volume == tenth { writes.append(now) }
    }
    #expect(writes == [30, 40.1])
  }

  @Test("A change that is undone is not written")
  func takenBack() {
    var writer = SavedStateWriter(written: state(1))
    writer.update(state(2), at: time(0))
    writer.update(state(1), at: time(0.5))
    #expect(writer.due == .never && writer.nextState(at: time(99)) == nil && writer.lastState() == nil)
  }

  @Test("At the end everything is written, the time too, on any clock")
  func atTheEnd() {
    var writer = SavedStateWriter(written: nil)
    #expect(writer.lastState() == nil)
    writer.update(state(1), at: time(0))
    #expect(writer.nextState(at: time(1))?.volume == 1)
    writer.update(state(2, clock: 7), at: time(2))
    #expect(writer.lastState() == state(2, clock: 7))
    #expect(writer.lastState() == nil)
    writer.update(state(2, clock: 8), at: time(3))
    #expect(writer.due == .never)
    #expect(writer.lastState()?.wallClock == 8)
  }

  @Test("The time alone is written once an hour, and when set back")
  func clock() {
    var writer = SavedStateWriter(written: state(1, clock: 1_000_000))
    writer.update(state(1, clock: 1_003_599), at: time(0))
    #expect(writer.due == .never)
    writer.update(state(1, clock: 1_003_600), at: time(1))
    #expect(writer.nextState(at: time(1)) != nil)
    writer.update(state(1, clock: 5), at: time(60))
    #expect(writer.nextState(at: time(60))?.wallClock == 5)
    writer.update(state(1, clock: .min), at: time(61))
    #expect(writer.due == time(70))
  }

  @Test("Six changes are written ten seconds apart, further ones once a minute; a rest allows six again (I2)")
  func bursts() {
    var writer = SavedStateWriter(written: state(0))
    var writes: [Double] = []
    for second in 0..<1_200 where second < 240 || second >= 900 {
      writer.update(state(second % 100), at: time(Double(second)))
      if writer.nextState(at: time(Double(second))) != nil { writes.append(Double(second)) }
    }
    #expect(writes.filter { $0 < 240 } == [11, 22, 33, 44, 55, 66, 77, 131, 191])
    #expect(writes.filter { $0 >= 900 }.prefix(7) == [900, 911, 922, 933, 944, 955, 966])
  }

  @Test("A changed intent is written at once, also after other writes; twenty, then once a minute (I2)")
  func intentAtOnce() {
    var writer = SavedStateWriter(written: state(0))
    var now = state(1)
    writer.update(now, at: time(0))
    #expect(writer.nextState(at: time(1)) != nil)
    now.intent = .standby
    writer.update(now, at: time(1.5))
    #expect(writer.due == time(1.5) && writer.nextState(at: time(1.5))?.intent == .standby)
    now.intent = .playing
    writer.update(now, at: time(1.6))
    #expect(writer.due == time(2.5), "a second apart")
    now.volume = 5
    writer.update(now, at: time(1.7))
    #expect(writer.nextState(at: time(2.5)) == now)
    var count = 0
    for tenth in 100..<6_100 {
      now.intent = tenth % 2 == 0 ? .stopped : .playing
      writer.update(now, at: time(Double(tenth) / 10))
      if writer.nextState(at: time(Double(tenth) / 10)) != nil { count += 1 }
    }
    #expect((28...31).contains(count), "a client that toggles for ten minutes: \(count)")
  }

  @Test("The end of the sleep timer alone is not written, its minutes are (I2)")
  func sleep() {
    var before = state(1)
    before.sleep = SavedSleep(minutes: 20, end: 1_000)
    var writer = SavedStateWriter(written: before)
    var after = before
    after.sleep?.end = 1_001
    writer.update(after, at: time(0))
    #expect(writer.due == .never)
    after.sleep?.minutes = 19
    writer.update(after, at: time(1))
    #expect(writer.due == time(2))
    after.sleep = nil
    writer.update(after, at: time(1.5))
    #expect(writer.nextState(at: time(1.5)) == after, "without its timer the radio is another one after a power cut")
  }

  @Test("A day of a never-resting knob is written once a minute (I2)", arguments: 0..<5 as Range<UInt64>)
  func day(_ seed: UInt64) {
    var random = SeededGenerator(seed)
    var writer = SavedStateWriter(written: nil)
    var (now, last) = (0.0, -10.0)
    var current = state(0)
    var written: SavedState?
    var count = 0
    while now < 86_400 {
      now += Double.random(in: 0.01...15, using: &random)
      current = state(Int.random(in: 0...100, using: &random), clock: Int64(now))
      writer.update(current, at: time(now))
      guard let taken = writer.nextState(at: time(now)) else { continue }
      #expect(now - last >= 9.999 && taken == current)
      (last, written) = (now, taken)
      count += 1
    }
    #expect((writer.lastState() ?? written) == current)
    #expect((1_300...1_446).contains(count), "once a minute: \(count)")
  }

  private func time(_ seconds: Double) -> MonotonicTime { MonotonicTime(seconds: seconds) }

  private func state(_ volume: Int, clock: Int64 = 0) -> SavedState {
    var state = SavedState()
    (state.volume, state.wallClock) = (volume, clock)
    return state
  }
}

@Suite struct SavedQueueTests {
  private typealias Station = SavedQueue.Station

  @Test("A queue is saved and loaded, also an empty one and one equal to the presets")
  func roundTrip() throws {
    let folder = TemporaryFolder()
    let file = QueueFile(folder: folder.path)
    #expect(file.load().content == nil && file.load().problem == nil)
    let long = (0..<10_000).map {
      Station(name: $0 % 3 == 0 ? "" : "Station \($0)", url: StationAddress("http://a.example/\($0)?k=v"))
    }
    let mixed = [
      Station(name: "A", url: "http://a.example/", isFromDirectory: true), Station(name: "B", url: "http://b.example/"),
    ]
    for stations in [nil, [], [Station(name: "\u{D6}1 = x", url: "http://a.example/")], mixed, long] {
      try file.save(SavedQueue(stations))
      #expect(file.load().content == SavedQueue(stations) && file.load().problem == nil)
    }
  }

  @Test("A long address survives whole, and an overlong one is dropped")
  func longAddresses() throws {
    let folder = TemporaryFolder()
    let file = QueueFile(folder: folder.path)
    let text = "http://a.example/?token=" + String(repeating: "x", count: 5_000)
    let whole = Station(name: "A", url: StationAddress(text))
    try file.save(SavedQueue([whole, Station(name: "B", url: StationAddress(text + text + text + text))]))
    #expect(file.load().content?.stations == [whole])
    var state = SavedState()
    state.stationURL = StationAddress(text)
    let memory = StateFile(folder: folder.path)
    try memory.save(state)
    #expect(memory.load().content?.stationURL == state.stationURL)
  }

  @Test("A name with a line break adds no station")
  func lineBreaks() throws {
    let folder = TemporaryFolder()
    let file = QueueFile(folder: folder.path)
    try file.save(SavedQueue([Station(name: "a\nurl=http://b.example/", url: "http://a.example/")]))
    #expect(file.load().content?.stations == [Station(name: "aurl=http://b.example/", url: "http://a.example/")])
  }

  @Test("A damaged file is set aside, and the queue equals the presets")
  func damage() throws {
    let folder = TemporaryFolder()
    let file = QueueFile(folder: folder.path)
    try file.save(SavedQueue([Station(name: "A", url: "http://a.example/")]))
    let bytes = folder.bytes(of: "queue")
    for place in bytes.indices {
      var broken = bytes
      broken[place] ^= 4
      folder.write(broken, to: "queue")
      let (queue, problem) = file.load()
      #expect(queue == nil && problem?.description.contains("queue.broken") == true, "byte \(place)")
      folder.write(Array(bytes[..<place]), to: "queue")
      #expect(file.load().content == nil)
    }
  }
}

/// Positions in episodes (E5).
@Suite struct BookmarkTests {
  @Test("Bookmarks are saved and loaded in order, and the oldest excess one is dropped")
  func roundTrip() throws {
    let folder = TemporaryFolder()
    let file = StateFile(folder: folder.path)
    var state = SavedState()
    for number in 0..<150 {
      state.bookmarks.insert(Bookmark("episode \(number)", seconds: number * 7, isHeard: number % 5 == 0))
    }
    state.bookmarks.insert(Bookmark("episode 100", seconds: 9))
    try file.save(state)
    let loaded = try #require(file.load().content)
    #expect(loaded == state && loaded.bookmarks.list.count == Bookmarks.maxCount)
    #expect(loaded.bookmarks["episode 100"]?.seconds == 9 && loaded.bookmarks.rank(of: "episode 100") == 0)
    #expect(loaded.bookmarks["episode 145"]?.isHeard == true && loaded.bookmarks["episode 49"] == nil)
    #expect(loaded.bookmarks["episode 51"]?.seconds == 357)
  }

  @Test("A file with an invalid bookmark is set aside", arguments: ["zz 3", "12", "12 -4", "12 3 4", "12 soon"])
  func damaged(line: String) throws {
    let folder = TemporaryFolder()
    let file = StateFile(folder: folder.path)
    var state = SavedState()
    state.bookmarks.insert(Bookmark("a", seconds: 3))
    try file.save(state)
    let text = String(decoding: folder.bytes(of: "state"), as: UTF8.self)
    let place = try #require(text.firstRange(of: "bookmark=")).upperBound
    let rest = text[place...].drop { $0 != "\n" }
    folder.write(Array((text[..<place] + line + rest).utf8), to: "state")
    #expect(file.load().problem != nil)
  }

  @Test("An episode's position is written once a minute; another episode, its end and the run's end at once")
  func rarely() {
    var state = SavedState()
    state.bookmarks.insert(Bookmark("a", seconds: 10))
    var writer = SavedStateWriter(written: state)
    var writes: [Int] = []
    for second in 1...200 {
      state.bookmarks.insert(Bookmark("a", seconds: 10 + second))
      writer.update(state, at: MonotonicTime(seconds: Double(second)))
      if writer.nextState(at: MonotonicTime(seconds: Double(second))) != nil { writes.append(second) }
    }
    #expect(writes == [60, 120, 180])
    #expect(writer.lastState()?.bookmarks["a"]?.seconds == 210)
    state.bookmarks.insert(Bookmark("b", seconds: 1))
    writer.update(state, at: MonotonicTime(seconds: 299))
    #expect(writer.nextState(at: MonotonicTime(seconds: 300)) != nil)
    state.bookmarks.insert(Bookmark("b", seconds: 0, isHeard: true))
    writer.update(state, at: MonotonicTime(seconds: 310))
    #expect(writer.nextState(at: MonotonicTime(seconds: 311)) != nil)
  }
}
