import Http
import MediaSupport
import RadioSupport
import StationSupport
import System
import TestSupport
import Testing
import Units

/// HLS stations with AES-128 (H1).
@Suite struct SegmentKeyTests {
  private static let clip = Clip.long(200)
  private static let vector = (0..<16).map { UInt8(250 - $0) }

  enum Form: CaseIterable { case mp3, adts, transport, fragments }

  /// A complete playlist of five segments of 4 s, or of twelve, which exceed a small ring. `cipher`: nil for no
  /// encryption.
  private static func finished(_ form: Form, _ cipher: SegmentCipher?) throws -> SegmentedStation {
    let clip = form == .mp3 ? Clip.long(48) : Clip.aac(20)
    let count = form == .mp3 ? 12 : 5
    let bytes = clip.bytes
    var lines: [String] = []
    if form == .fragments { lines.append("#EXT-X-MAP:URI=\"map.mp4\"\n") }
    // The header follows the key, and is encrypted, too.
    if form == .fragments, let cipher { lines.insert(cipher.tag(0), at: 0) }
    return try SegmentedStation(clip, aired: count, window: count, header: lines.joined(), cipher: cipher) {
      visit, _, air in
      if visit.path == "/map.mp4" {
        let map = Fragments.map(of: bytes)
        return StationAction.file(cipher?.encrypt(map, 0) ?? map)
      }
      return visit.path.hasSuffix("m3u8") ? air.list(to: count, tail: "#EXT-X-ENDLIST\n") : nil
    } wrap: { bytes, _ in
      switch form {
      case .mp3, .adts: bytes
      case .transport: TransportStream.segment(bytes)
      case .fragments: Fragments.segment(bytes)
      }
    }
  }

  private static func whole(_ station: SegmentedStation) throws -> [UInt8] {
    defer { station.close() }
    let bench = try NetBench(blockCount: 30)
    bench.tune(station.url)
    let isOver = bench.run { bench.notices.contains { $0.notice == .complete } }
    #expect(isOver && bench.faults.isEmpty && bench.stitches.isEmpty, "\(bench.faults.map(\.sentence))")
    bench.readAll()
    return bench.readBytes
  }

  @Test("Encrypted segments of each form equal unencrypted ones (H1)", arguments: Form.allCases, [false, true])
  func forms(_ form: Form, hasVector: Bool) async throws {
    try await Stage.run(speed: 8) {
      var cipher = SegmentCipher()
      // A header has no sequence number for its initialisation vector.
      if hasVector || form == .fragments { cipher.vector = Self.vector }
      let plain = try Self.whole(Self.finished(form, nil))
      let station = try Self.finished(form, cipher)
      let heard = try Self.whole(station)
      let isSame = heard == plain && plain.count > 60_000
      #expect(isSame, "\(heard.count) and \(plain.count) bytes")
      #expect(station.server.visits.count { $0.path == "/k0.key" } == 1, "the key is asked for once")
    }
  }

  /// A live station. `answer` replaces the response to a request.
  private static func live(
    _ cipher: SegmentCipher,
    _ answer: @escaping @Sendable (ScriptedStation.Request, SegmentedStation.Request) -> [StationAction]?
  ) throws -> SegmentedStation {
    try SegmentedStation(clip, cipher: cipher) { visit, request, _ in answer(visit, request) }
  }

  private static func segment(_ number: Int) -> [UInt8] {
    let ends = (number...number + 1).map { SegmentedStation.byteOffset(of: $0, in: clip, length: 4) }
    return Array(clip.bytes[ends[0]..<ends[1]])
  }

  /// Expects the segments from number 3 on, except `lost`, until `seconds` are received.
  private static func expectWhole(_ bench: NetBench, _ station: SegmentedStation, seconds: Double, lost: Range<Int>) {
    let isThere = bench.run(120) { bench.written >= seconds }
    bench.readAll()
    let whole = station.bytes(3..<max(3, lost.lowerBound)) + station.bytes(lost.upperBound..<60)
    let same = zip(bench.readBytes, whole).prefix { $0 == $1 }.count
    #expect(isThere && same == bench.readBytes.count, "\(same) of \(bench.readBytes.count) bytes are the same")
  }

  @Test("Changing keys are fetched once each", arguments: [1, 2, 5])
  func rotation(_ run: Int) async throws {
    try await Stage.run(speed: 8) {
      var cipher = SegmentCipher()
      cipher.run = run
      let station = try Self.live(cipher) { _, _ in nil }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      Self.expectWhole(bench, station, seconds: 40, lost: 3..<3)
      let keys = station.server.visits.map(\.path).filter { $0.hasSuffix(".key") }
      #expect(bench.stitches.isEmpty && bench.reasons.isEmpty && keys.count == Set(keys).count, "\(keys)")
    }
  }

  private static let noKeys: [[StationAction]] =
    [StationAction.response("404 No"), StationAction.response("503 Busy")]
    + [0, 15, 17, 100_000].map { StationAction.file([UInt8](repeating: 7, count: $0)) }

  @Test("A refused or invalid key is requested again", arguments: noKeys.indices)
  func keyOnce(_ index: Int) async throws {
    try await Stage.run(speed: 8) {
      var cipher = SegmentCipher()
      cipher.run = 6
      let isRefused = Locked(false)
      let station = try Self.live(cipher) { visit, _ in
        guard visit.path == "/k1.key" else { return nil }
        return isRefused.withLock { was in
          defer { was = true }
          return was ? nil : Self.noKeys[index]
        }
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      Self.expectWhole(bench, station, seconds: 32, lost: 3..<3)
      #expect(bench.stitches.isEmpty && station.server.visits.count { $0.path == "/k1.key" } == 2)
    }
  }

  @Test("A segment without its key is skipped, and the gap is reported", arguments: noKeys.indices)
  func noKey(_ index: Int) async throws {
    try await Stage.run(speed: 8) {
      var cipher = SegmentCipher()
      cipher.run = 1
      let station = try Self.live(cipher) { visit, _ in visit.path == "/k6.key" ? Self.noKeys[index] : nil }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      Self.expectWhole(bench, station, seconds: 30, lost: 6..<7)
      #expect(bench.stitches.map { $0.lost.seconds } == [4] && bench.reasons.isEmpty)
      let paths = station.server.visits.map(\.path)
      #expect((3...13).contains(paths.count { $0 == "/k6.key" }) && !paths.contains("/6.mp3"))
    }
  }

  @Test("A station without any key is given up", arguments: noKeys.indices)
  func noKeyAtAll(_ index: Int) async throws {
    try await Stage.run(speed: 8) {
      let station = try Self.live(SegmentCipher()) { visit, _ in
        visit.path.hasSuffix(".key") ? Self.noKeys[index] : nil
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      #expect(bench.run(200) { !bench.faults.isEmpty })
      let sentence = bench.faults.first?.sentence ?? ""
      #expect(sentence.contains(index < 2 ? "404" : "be decoded") || sentence.contains("503"), "\(sentence)")
      #expect(bench.readBytes.isEmpty && !station.server.visits.contains { $0.path.hasSuffix(".mp3") })
    }
  }

  @Test("A finished list whose later segments cannot be decrypted ends after few requests (R1.12)")
  func wrongKeyLater() async throws {
    try await Stage.run(speed: 8) {
      let station = try SegmentedStation(Clip.aac(20), aired: 5, window: 5, cipher: SegmentCipher()) {
        visit, request, air in
        if visit.path.hasSuffix("m3u8") { return air.list(to: 5, tail: "#EXT-X-ENDLIST\n") }
        guard case .segment(let number) = request, number >= 3 else { return nil }
        return StationAction.file([UInt8](repeating: 7, count: 4_000))
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      #expect(bench.run(60) { !bench.faults.isEmpty })
      #expect(bench.faults.first?.sentence.contains("be decoded") == true, "\(bench.faults.map(\.sentence))")
      #expect(bench.written > 11 && station.server.visits.count <= 16, "\(station.server.visits.map(\.path))")
    }
  }

  /// A finished list of segments of 4 s whose second key is refused. `run`: segments of a key.
  private static func refused(_ run: Int, count: Int, status: String) throws -> SegmentedStation {
    var cipher = SegmentCipher()
    cipher.run = run
    return try SegmentedStation(clip, aired: count, window: count, cipher: cipher) { visit, _, air in
      if visit.path.hasSuffix("m3u8") { return air.list(to: count, tail: "#EXT-X-ENDLIST\n") }
      return visit.path == "/k1.key" ? StationAction.response(status) : nil
    }
  }

  @Test(
    "A finished list whose later key is refused ends within 10 s, and its status is named (R1.12)",
    arguments: ["401 No", "403 No", "404 No", "410 No"])
  func refusedKeyLater(status: String) async throws {
    try await Stage.run(speed: 8) {
      let station = try Self.refused(3, count: 6, status: status)
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      #expect(bench.run(60) { bench.finalFault != nil })
      let sentence = bench.finalFault?.sentence ?? ""
      #expect(sentence.contains("k1.key") && sentence.contains(status.prefix(3)), "\(sentence)")
      bench.readAll()
      let (heard, whole) = (bench.readBytes, station.bytes(0..<3))
      let same = zip(heard, whole).prefix { $0 == $1 }.count
      #expect(same == whole.count && same == heard.count, "\(same) of \(heard.count) bytes, not \(whole.count)")
      #expect(station.server.visits.count <= 10, "\(station.server.visits.map(\.path))")
    }
  }

  @Test("A refused key loses only its segments if later segments have another key, or if it may still arrive")
  func refusedKeyBetween() async throws {
    try await Stage.run(speed: 16) {
      for (run, count, status, lost) in [(1, 3, "403 No", 1..<2), (1, 2, "503 Busy", 1..<2)] {
        let station = try Self.refused(run, count: count, status: status)
        defer { station.close() }
        let bench = try NetBench()
        bench.tune(station.url)
        #expect(bench.run(90) { bench.notices.contains { $0.notice == .complete } }, "\(bench.faults.map(\.sentence))")
        bench.readAll()
        #expect(bench.readBytes == station.bytes(0..<lost.lowerBound) + station.bytes(lost.upperBound..<count))
      }
    }
  }

  @Test("A connection broken in an encrypted segment loses nothing", arguments: [10, 5_000, 20_000])
  func cuts(_ byteCount: Int) async throws {
    try await Stage.run(speed: 8) {
      let broken = Locked<Set<Int>>([])
      let cipher = SegmentCipher()
      let station = try Self.live(cipher) { _, request in
        guard case .segment(let number) = request, [4, 5, 8].contains(number),
          broken.withLock({ $0.insert(number).inserted })
        else { return nil }
        let segment = cipher.encrypt(Self.segment(number), number)
        return [.file(segment.count), .send(Array(segment.prefix(byteCount))), .wait(0.5), .reset]
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      Self.expectWhole(bench, station, seconds: 40, lost: 3..<3)
    }
  }

  enum Damage: CaseIterable { case padding, cut, longer }

  @Test("A segment invalid at its end plays up to there", arguments: Damage.allCases)
  func badEnds(_ damage: Damage) async throws {
    try await Stage.run(speed: 8) {
      let cipher = SegmentCipher()
      let plain = Self.segment(6)
      let good = cipher.encrypt(plain, 6)
      let whole = Array(plain.prefix(plain.count / 16 * 16))
      let file =
        switch damage {
        case .padding: Aes.encrypt(whole, key: cipher.key(of: 6), vector: Aes.vector(of: 6), isPadded: false)
        case .cut: Array(good.dropLast())
        case .longer: good + [1, 2, 3]
        }
      let station = try Self.live(cipher) { _, request in request == .segment(6) ? StationAction.file(file) : nil }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      let isThere = bench.run(120) { bench.written >= 30 }
      bench.readAll()
      let begin = station.bytes(3..<6) + Clip(plain).packets.dropLast().flatMap(\.bytes)
      let isBegin = bench.readBytes.starts(with: begin)
      // A missing padding leaves the last packet complete.
      let last = station.bytes(3..<7).count - begin.count
      let rest = bench.readBytes.dropFirst(begin.count)
      let goesOn = [rest, rest.dropFirst(last)].contains { station.bytes(7..<60).starts(with: $0) }
      #expect(
        isThere && isBegin && goesOn && rest.count > 20_000, "\(bench.readBytes.count) bytes, \(begin.count) before")
      #expect(bench.reasons.isEmpty && station.server.visits.count { $0.path == "/6.mp3" } == 1)
    }
  }

  @Test("A key that changes at the same address is fetched again")
  func replaced() async throws {
    try await Stage.run(speed: 8) {
      let cipher = SegmentCipher()
      let newer = (0..<16).map { UInt8($0 * 3 + 90) }
      let station = try Self.live(cipher) { visit, request in
        if visit.path == "/k0.key", visit.number > 4 { return StationAction.file(newer) }
        guard case .segment(let number) = request, number >= 7 else { return nil }
        return StationAction.file(Aes.encrypt(Self.segment(number), key: newer, vector: Aes.vector(of: number)))
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      #expect(bench.run(120) { bench.written >= 30 })
      bench.readAll()
      let isThere = bench.readBytes.count > station.bytes(3..<8).count
      let end = Array(bench.readBytes.suffix(40_000))
      let isEnd = station.bytes(7..<60).firstRange(of: end) != nil
      #expect(isThere && isEnd && station.server.visits.count { $0.path == "/k0.key" } == 2)
    }
  }

  @Test("A byte range is encrypted by itself, with and without server ranges", arguments: [true, false])
  func parts(knowsParts: Bool) async throws {
    try await Stage.run(speed: 8) {
      let cipher = SegmentCipher()
      let plain = try SegmentedStation(Self.clip)
      defer { plain.close() }
      let parts = (0..<4).map { cipher.encrypt(plain.bytes($0..<$0 + 1), $0) }
      let file = parts.flatMap { $0 }
      var (list, offset) = ("#EXTM3U\n#EXT-X-TARGETDURATION:4\n" + cipher.tag(0), 0)
      for part in parts {
        list += "#EXT-X-BYTERANGE:\(part.count)@\(offset)\n#EXTINF:4,\nall.mp3\n"
        offset += part.count
      }
      let text = list + "#EXT-X-ENDLIST\n"
      let station = try ScriptedStation { visit in
        if let key = cipher.answer(visit) { return key }
        guard visit.path == "/all.mp3" else {
          return StationAction.response("200 OK", text, type: "application/x-mpegurl")
        }
        let ends = visit.header("Range")?.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) } ?? []
        guard knowsParts, ends.count == 2 else { return StationAction.file(file) }
        let head = StationAction.head("206 Part", ["Content-Range: bytes \(ends[0])-\(ends[1])/\(file.count)"])
        return [head, .send(Array(file[ends[0]...ends[1]]))]
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url("/live.m3u8"))
      #expect(bench.run { bench.notices.contains { $0.notice == .complete } })
      bench.readAll()
      let isSame = bench.readBytes == plain.bytes(0..<4)
      #expect(isSame && bench.stitches.isEmpty, "\(bench.readBytes.count) bytes")
    }
  }

  @Test("Credentials go with a key to no other host", arguments: [false, true])
  func secrets(isRedirected: Bool) async throws {
    try await Stage.run(speed: 8) {
      let other = try ScriptedStation { SegmentCipher().answer($0) ?? StationAction.response("404 No") }
      defer { other.close() }
      var cipher = SegmentCipher()
      if !isRedirected { cipher.base = other.url("/", host: "localhost") }
      let address = other.url("/k0.key", host: "localhost")
      let station = try Self.live(cipher) { visit, _ in
        visit.path.hasPrefix("/k0.key") ? StationAction.redirect(address) : nil
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url) {
        $0.headers = ["X-Key: secret"]
        $0.query = ["token=secret"]
        $0.credentials = Credentials(name: "me", password: "secret")
      }
      Self.expectWhole(bench, station, seconds: 16, lost: 3..<3)
      let told = other.visits.filter { $0.head.contains("secret") || $0.header("Authorization") != nil }
      #expect(told.isEmpty && other.visits.count == 1)
      let own = station.server.visits.filter { $0.path.hasPrefix("/k0.key") }
      #expect(own.allSatisfy { $0.header("X-Key") == "secret" } && own.count == (isRedirected ? 1 : 0))
    }
  }

  @Test(
    "Another encryption is refused by name",
    arguments: [
      "METHOD=SAMPLE-AES,URI=\"k0.key\"", "METHOD=SAMPLE-AES-CTR,URI=\"k0.key\"", "METHOD=AES-256,URI=\"k0.key\"",
      "METHOD=AES-128,URI=\"k0.key\",KEYFORMAT=\"com.apple.streamingkeydelivery\"", "METHOD=AES-128",
      "METHOD=AES-128,URI=\"skd://k0.key\"", "METHOD=AES-128,URI=\"file:///etc/hostname\"",
      // A header has no sequence number for its initialisation vector.
      "METHOD=AES-128,URI=\"k0.key\"\n#EXT-X-MAP:URI=\"map.mp4\"",
    ])
  func refusals(_ key: String) async throws {
    try await Stage.run(speed: 8) {
      let cipher = SegmentCipher()
      let station = try SegmentedStation(Self.clip, header: "#EXT-X-KEY:\(key)\n") { visit, _, _ in cipher.answer(visit)
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url)
      #expect(bench.run { !bench.faults.isEmpty })
      #expect(bench.faults.first?.sentence.contains("SAMPLE-AES") == true, "\(bench.faults.map(\.sentence))")
      let paths = station.server.visits.map(\.path).filter { !$0.hasSuffix("m3u8") }
      #expect(paths.isEmpty)
    }
  }
}
