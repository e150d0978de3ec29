import SeededRandom
import Testing
import Units

@testable import Framing

/// The parts of joined MP3 files: advertisements in a podcast, for example.
struct PartFinderTests {
  typealias Part = (index: UInt8, count: Int, figures: String?)

  private static func file(_ parts: [Part], between: [UInt8] = [], after: [UInt8] = []) -> JoinedFile {
    var file = JoinedFile()
    for (number, part) in parts.enumerated() {
      if number > 0 { file.append(between) }
      file.append(part.index, part.count, figures: part.figures)
    }
    file.append(after)
    return file
  }

  private static let cover = Build.id3(Build.quiet(300_000, seed: 3))
  /// Tags between two parts, or after the last part.
  static let tags: [String: [UInt8]] = [
    "no tag": [], "ID3v1": Build.id3v1, "ID3v2": Build.id3(Build.quiet(900, seed: 1)),
    "APE and ID3v1": Build.ape(Build.quiet(600, seed: 2)) + Build.id3v1, "cover": cover,
  ]

  @Test("Each part with figures costs one request", arguments: tags.keys.sorted(), ["Info", "Xing"])
  func taggedParts(name: String, figures: String) throws {
    let tags = try #require(Self.tags[name])
    let file = Self.file([(9, 400, figures), (5, 4_000, figures), (11, 700, figures)], between: tags)
    let search = file.search()
    let map = try #require(search.map)
    #expect(search.probes.count == (name == "cover" ? 4 : 2) && search.byteCount <= 40_000)
    #expect(abs(((map.length ?? .zero) + map.lead - file.duration).seconds) < 0.001)
    #expect(map.basis == (figures == "Info" ? .constant : .table))
    for start in file.starts {
      #expect(map.time(at: start.byte) + map.lead == start.time)
      #expect(abs(map.byte(at: start.time - map.lead) - start.byte) <= 4)
    }
    #expect(file.maxError(of: map) < (figures == "Info" ? 0.001 : 0.6))
  }

  @Test("A footer that states the size of the whole file leaves nothing to search", arguments: [nil, "Info"])
  func hostileFooter(figures: String?) {
    let file = Self.file([(9, 400, figures), (5, 400, nil)], after: Build.ape([]))
    for left in [0, 1, 2_000, 2_048, 2_049, 9_000] {
      let tail = file.bytes.count - left
      let search = file.search(tail: tail)
      #expect(search.outcome != nil || file.meter().partFinder(total: file.bytes.count, tail: tail) == nil)
      #expect(search.probes.allSatisfy { $0.byteCount > 0 && $0.byte + $0.byteCount <= file.bytes.count })
    }
    #expect(Self.file([(9, 400, nil)]).search(tail: 400 * 418).outcome == .single)
  }

  @Test("Each probe has bytes and ends within the sound")
  func hostileEnds() throws {
    var marks = RateMarks()
    let (time, rates) = (JoinedFile.packetTime, [417, 209])
    for (rate, bytes) in zip(rates, [0..<20_000, 60_000..<90_000]) {
      marks.insert(bytes, try #require(PacketRate(average: rate, time, packetTime: time)))
    }
    for end in stride(from: -500, through: 95_000, by: 250) {
      guard let probe = marks.nextProbe(before: end) else { continue }
      #expect(probe.byteCount > 0 && probe.byte >= 20_000 && probe.byte + probe.byteCount <= end, "\(end) \(probe)")
    }
    #expect(marks.nextProbe(before: 15_000) == nil && marks.nextProbe(before: 90_000) != nil)
  }

  @Test(
    "Parts never overlap, even if damaged bytes were read as sound of several rates", arguments: 0..<8 as Range<UInt64>)
  func overlappingMarks(seed: UInt64) throws {
    var random = SeededGenerator(seed)
    let time = JoinedFile.packetTime
    let rates = try [209, 417, 626].map { try #require(PacketRate(average: $0, time, packetTime: time)) }
    for _ in 0..<500 {
      var marks = RateMarks()
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let first = Int.random(in: 0..<20_000, using: &random)
        marks.insert(
          first..<first + Int.random(in: 1...9_000, using: &random), rates[Int.random(in: 0..<3, using: &random)])
        let gap = Int.random(in: 0..<20_000, using: &random)
        if Bool.random(using: &random) { marks.exclude([gap..<gap + 300]) }
      }
      let parts = marks.parts(from: 0, to: 30_000, isEndKnown: true)
      #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.end <= $1.firstByte }, "\(marks)")
      #expect(parts.allSatisfy { 0 <= $0.firstByte && $0.firstByte < $0.end && $0.end <= 30_000 }, "\(marks)")
    }
  }

  @Test("Parts with unlike constant rates are found by bisection", arguments: tags.keys.sorted(), [2_000, 30_000])
  func untaggedParts(name: String, count: Int) throws {
    let tags = try #require(Self.tags[name])
    for (first, second): (UInt8, UInt8) in [(9, 5), (5, 9), (14, 1), (11, 14)] {
      let file = Self.file([(first, 1_150, nil), (second, count, nil)], between: tags, after: Build.id3v1)
      let search = file.search()
      let map = try #require(search.map)
      #expect(search.probes.count <= 20 && search.byteCount <= 160 << 10, "\(search.probes.count) \(search.byteCount)")
      #expect(file.maxError(of: map) < 0.2 && map.basis == .constant)
      #expect(abs(((map.length ?? .zero) - file.duration).seconds) < 0.2)
    }
  }

  @Test("A third rate between two others has two borders")
  func threeRates() throws {
    let file = Self.file([(9, 3_000, nil), (5, 4_000, nil), (11, 3_000, nil)])
    let search = file.search()
    let map = try #require(search.map)
    #expect(search.probes.count <= 20 && file.maxError(of: map) < 0.5)
  }

  @Test("A search that stops early maps the rest by the mean rate", arguments: [0, 1, 2, 5])
  func stoppedEarly(most: Int) throws {
    for figures in [nil, "Info"] {
      let file = Self.file([(9, 2_000, figures), (5, 3_000, figures), (9, 2_000, figures), (5, 2_000, figures)])
      let search = file.search(most: most)
      if figures == nil, most == 0 {
        #expect(search.outcome == .single)
      } else if figures == nil || most < 3 {
        let map = try #require(search.map)
        #expect(map.basis == .measured)
        #expect(map.time(at: file.bytes.count) + map.lead > file.starts[1].time)
        let isWithin = stride(from: 0.0, to: 400, by: 9).allSatisfy {
          (0...file.bytes.count).contains(map.byte(at: StreamTime(seconds: $0)))
        }
        #expect(isWithin)
      }
    }
  }

  @Test("A border that stays unknown between unlike rates is an estimate")
  func unresolvedBorder() throws {
    let file = Self.file([(9, 3_000, nil), (5, 9_000, nil)])
    #expect(try #require(file.search(most: 3).map).basis == .measured)
    #expect(try #require(file.search().map).basis == .constant)
  }

  @Test("A variable bit rate without figures is not searched, even after equal packets")
  func variableRate() {
    var random = SeededGenerator(4)
    let varied = (0..<6_000).map { _ in UInt8.random(in: 5...11, using: &random) }
    var file = JoinedFile()
    file.append(indices: [UInt8](repeating: 1, count: 40) + varied)
    let search = file.search(head: 3_000)
    #expect(search.outcome == .varied && search.probes.count == 1)
    // Silence at both ends.
    var quiet = JoinedFile()
    quiet.append(indices: [UInt8](repeating: 1, count: 40) + varied + [UInt8](repeating: 2, count: 200))
    #expect(quiet.search(head: 3_000).outcome == .varied)
  }

  @Test("A rest with a variable bit rate is estimated from its samples")
  func variableRest() throws {
    var random = SeededGenerator(5)
    var file = Self.file([(9, 1_000, "Info")])
    file.append(indices: (0..<6_000).map { _ in UInt8.random(in: 5...11, using: &random) })
    let search = file.search()
    let map = try #require(search.map)
    #expect(map.basis == .measured && search.probes.count <= 10)
    #expect(abs((map.length ?? .zero).seconds / file.duration.seconds - 1) < 0.03)
    // All packets of a sample count, however often the rate changes.
    var loud = Self.file([(9, 1_000, "Info")])
    loud.append(indices: (0..<6_000).map { $0 % 40 < 8 ? [14, 9][$0 % 2] : [1, 2][$0 % 2] })
    let length = try #require(loud.search().map?.length)
    #expect(abs(length.seconds / loud.duration.seconds - 1) < 0.2)
    #expect(map.isPacketExact(at: file.starts[0].byte) && map.isPacketExact(at: file.starts[1].byte))
    #expect(!map.isPacketExact(at: file.bytes.count / 2))
  }

  @Test("Places without sound are read once", arguments: [2_000, 9_000])
  func emptyPlaces(count: Int) throws {
    let cover = Build.id3(Build.quiet(900_000, seed: 8))
    let file = Self.file([(9, count, nil), (5, count, nil)], between: cover)
    let search = file.search()
    #expect(Set(search.probes.map(\.byte)).count == search.probes.count && search.probes.count <= 20)
    let map = try #require(search.map)
    #expect(file.maxError(of: map) < 0.5, "\(search.probes)")
  }

  @Test("Tags after the stated end are not a part", arguments: [3_000, 40_000, 200_000], ["Info", "Xing"])
  func tagsAfterTheEnd(count: Int, figures: String) {
    for tag in [Build.ape(Build.quiet(count, seed: 6)), Build.id3(Build.quiet(count, seed: 6), hasFooter: true)] {
      let file = Self.file([(9, 1_000, figures)], after: tag + Build.id3v1)
      #expect(file.search().outcome == .whole && file.search().probes.count == 1)
      #expect(file.search(tail: tag.count + 128).probes.isEmpty, "a known tag needs no search")
      let noHead = Self.file([(9, 1_000, figures)], after: Array(tag.dropFirst(32)))
      let search = noHead.search()
      #expect(search.outcome == .whole && search.probes.count <= 3)
    }
  }

  @Test("Garbage after the stated end is not a part")
  func garbageAfterTheEnd() {
    for count in [3_000, 30_000] {
      let file = Self.file([(9, 1_000, "Info")], after: Build.quiet(count, seed: 7))
      #expect(file.search().outcome == .whole)
    }
  }

  @Test("The tags at the end shorten the last part", arguments: [nil, "Info"])
  func tagsAtTheEnd(figures: String?) throws {
    let tag = Build.ape(Build.quiet(30_000, seed: 9)) + Build.id3v1
    let file = Self.file([(9, 1_000, figures), (5, 2_000, nil)], after: tag)
    let map = try #require(file.search().map)
    #expect(abs(((map.length ?? .zero) + map.lead - file.duration).seconds) < 0.2)
  }

  @Test("A file of one constant rate is not a joined file")
  func single() {
    let file = Self.file([(9, 3_000, nil)], after: Build.id3v1)
    let search = file.search()
    #expect(search.outcome == .single && search.probes.count == 1)
    #expect(Self.file([(9, 60, nil)]).search().outcome == nil)
  }

  @Test("Figures of a part may be wrong", arguments: [0, 1, 5, 1 << 31])
  func wrongFigures(count: Int) {
    var file = Self.file([(9, 1_000, "Info")])
    file.append(FileMeterTests.xing("Info", packets: count, bytes: 90_000))
    file.append(5, 1_000)
    let search = file.search()
    #expect(search.map != nil && search.probes.count <= 20)
    #expect((search.map?.length ?? .zero).seconds < 1_000)
  }

  @Test("Any bytes end the search, within the file")
  func hostile() {
    var random = SeededGenerator(11)
    for round in 0..<300 {
      var file = Self.file([(9, 200, round % 2 == 0 ? "Info" : nil), (5, 300, round % 3 == 0 ? "Xing" : nil)])
      for _ in 0..<8 {
        let garbage = Array(random.bytes(Int.random(in: 0...400, using: &random)))
        let place = Int.random(in: 20_000..<file.bytes.count, using: &random)
        file.replace(at: place, by: garbage)
      }
      let search = file.search()
      let isInside = search.probes.allSatisfy {
        $0.byte >= 0 && $0.byteCount > 0 && $0.byteCount <= 8_192 && $0.byte + $0.byteCount <= file.bytes.count
      }
      #expect(isInside && search.probes.count <= 20 && search.byteCount <= 160 << 10)
      #expect(search.probes.isEmpty || search.outcome != nil)
    }
  }
}
