import Http
import MediaSupport
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// MP3 files made of parts put end to end, such as podcasts with advertisements: all sound plays, the length is right,
/// and positions are found by a few small requests (R11.2, O1 … O3).
@Suite struct JoinedFileTests {
  /// A joined file and its sound.
  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var bytes: [UInt8] = []
    /// The packets of sound, without headers and tags.
    var sound: [UInt8] = []
    /// Silence before time zero, in seconds.
    var lead = 0.0
    /// Maximum number of probes, and maximum error of a position in seconds.
    let (maxProbes, tolerance): (Int, Double)

    init(_ name: String, probes: Int, tolerance: Double) {
      (testDescription, maxProbes, self.tolerance) = (name, probes, tolerance)
    }

    /// Appends a part. `header`: nil for a part without figures.
    mutating func append(_ frames: [UInt8], count: Int, header: String? = nil) {
      if let header {
        let table: [UInt8] = header == "Xing" ? (0..<100).map { UInt8($0 * 256 / 100) } : []
        if bytes.isEmpty { lead = 1_105 / 44_100 }
        bytes += ToneMp3.infoPacket(count, byteCount: frames.count, delay: 576, padding: 1_105, table: table)
      }
      bytes += frames
      sound += frames
    }

    mutating func append(tag: [UInt8]) { bytes += tag }

    var pcm: [UInt8] { Clip(sound).pcm() }

    var duration: Double { Clip(sound).packets.map(\.info.duration.seconds).reduce(0, +) - lead }
  }

  private static let (ad, show, end) = (
    ToneMp3.frames(400, kilobits: 128, seed: 31), ToneMp3.frames(2_400, kilobits: 64, seed: 32),
    ToneMp3.frames(700, kilobits: 192, seed: 33)
  )

  private static func varied(_ count: Int, seed: UInt64) -> [UInt8] {
    (0..<UInt64(count)).flatMap { ToneMp3.frames(1, kilobits: $0 % 2 == 0 ? 64 : 112, seed: seed + $0) }
  }

  private static let cover = Array("ID3".utf8) + [4, 0, 0, 0, 3, 0x5C, 0x30] + [UInt8](repeating: 0x41, count: 60_976)

  static let forms: [Form] = {
    var tagged = Form("tagged", probes: 2, tolerance: 0.001)
    tagged.append(ad, count: 400, header: "Info")
    tagged.append(show, count: 2_400, header: "Info")
    tagged.append(tag: FileSoundTests.id3v1)
    tagged.append(end, count: 700, header: "Info")
    var varied = Form("tagged, variable bit rate", probes: 2, tolerance: 0.1)
    varied.append(ad, count: 400, header: "Xing")
    varied.append(Self.varied(2_400, seed: 1_000), count: 2_400, header: "Xing")
    varied.append(Self.varied(700, seed: 9_000), count: 700, header: "Xing")
    var plain = Form("untagged", probes: 20, tolerance: 0.5)
    plain.append(ad, count: 400)
    plain.append(show, count: 2_400)
    plain.append(tag: FileSoundTests.id3v1)
    var tags = Form("untagged, with tags", probes: 20, tolerance: 0.5)
    tags.append(ad, count: 400)
    tags.append(tag: cover)
    tags.append(show, count: 2_400)
    tags.append(tag: FileSoundTests.ape(9_000) + FileSoundTests.id3v1)
    var mixed = Form("tagged, then untagged", probes: 12, tolerance: 0.1)
    mixed.append(ad, count: 400, header: "Info")
    mixed.append(tag: FileSoundTests.ape(900) + FileSoundTests.id3v1)
    mixed.append(show, count: 2_400)
    mixed.append(end, count: 700)
    mixed.append(tag: FileSoundTests.id3v1)
    var equal = Form("tagged, of one bit rate", probes: 1, tolerance: 0.001)
    equal.append(ad, count: 400, header: "Info")
    equal.append(ToneMp3.frames(2_400, kilobits: 128, seed: 34), count: 2_400, header: "Info")
    return [tagged, varied, plain, tags, mixed, equal]
  }()

  /// Number of bytes that a request with both ends of a range asks for.
  private func requestedByteCount(_ visit: ScriptedStation.Request) -> Int {
    let ends = visit.header("Range")?.dropFirst(6).split(separator: "-").compactMap { Int($0) } ?? []
    return ends.count == 2 ? ends[1] - ends[0] + 1 : 0
  }

  @Test("A start in any part plays the sound there, after a few small requests", arguments: forms, ["HTTP", "local"])
  func starts(form: Form, source: String) async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let local = try WebAddress(filePath: folder.write(form.bytes, to: "pod.mp3")).url.unredacted
      let pcm = Sound(form.pcm)
      for start in [5.0, 12, 40, form.duration - 5] {
        let station = try ScriptedStation(FileServer(form.bytes))
        defer { station.close() }
        var settings = RadioSettings.bench
        settings.duration = StreamTime(seconds: 0.5)
        let rig = try RadioRig(settings)
        rig.tune(source == "HTTP" ? station.url("/pod.mp3") : local) { $0.start = StreamTime(seconds: start) }
        #expect(rig.playOut(), "\(rig.names)")
        #expect(abs((rig.radio.duration ?? 0) / form.duration - 1) < 0.01, "\(rig.radio.duration ?? 0) s")
        _ = rig.radio.close()
        let place = try #require(pcm.place(of: Sound(Array(rig.pcm.prefix(20_000)))))
        #expect(abs(place - form.lead - start) <= form.tolerance, "\(place - form.lead) s instead of \(start) s")
        guard source == "HTTP" else { continue }
        let probes = station.visits.dropFirst().filter { (1...8_192).contains(requestedByteCount($0)) }
        #expect(probes.count <= form.maxProbes, "\(probes.count) probes")
        #expect(probes.reduce(0) { $0 + requestedByteCount($1) } <= 160 << 10)
      }
    }
  }

  @Test("All sound plays from the start, and the length is reported", arguments: forms, ["HTTP", "local"])
  func plays(form: Form, source: String) async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let local = try WebAddress(filePath: folder.write(form.bytes, to: "pod.mp3")).url.unredacted
      let station = try ScriptedStation(FileServer(form.bytes))
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(source == "HTTP" ? station.url("/pod.mp3") : local)
      #expect(rig.playOut(within: 40), "\(rig.names)")
      #expect(rig.names.suffix(2) == ["fileComplete", "stopped"])
      _ = rig.radio.close()
      let whole = form.pcm
      let lead = Int((form.lead * 44_100).rounded()) * 4
      // Padding may be cut at the end of a first part that seemed to be the whole file.
      #expect(difference(rig.pcm, Array(whole.dropFirst(lead))) == nil)
    }
  }

  @Test("The length is right soon after the start, and a seek lands in another part", arguments: forms)
  func seeks(form: Form) async throws {
    try await Stage.run {
      let station = try ScriptedStation(FileServer(form.bytes))
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url("/pod.mp3"))
      #expect(rig.next("playing") != nil)
      #expect(rig.run(10) { abs((rig.radio.duration ?? 0) / form.duration - 1) < 0.01 }, "\(rig.radio.duration ?? 0) s")
      #expect(station.visits.count <= 1 + form.maxProbes && station.tailVisits.count <= 1)
      let before = rig.pcmCount
      rig.radio.seek(to: 60)
      #expect(rig.next("seekDone") != nil && rig.run(10) { rig.radio.status.position > 61 })
      _ = rig.radio.close()
      let place = try #require(Sound(form.pcm).place(of: Sound(Array(rig.pcm.suffix(60_000).prefix(20_000)))))
      #expect(rig.pcm.count > before && place - form.lead > 60 && place - form.lead < 66, "\(place)")
    }
  }

  /// Servers with faults.
  enum Fault: String, CaseIterable {
    case unknownLength, ignoresRangeEnd, ignoresProbes, refusesProbes, stallsProbes, codesProbes, otherVersion
  }

  private static func isProbe(_ visit: ScriptedStation.Request) -> Bool {
    let range = visit.header("Range") ?? ""
    return visit.number > 0 && !range.hasSuffix("-") && !range.isEmpty
  }

  private static func station(_ fault: Fault, _ bytes: [UInt8]) throws -> ScriptedStation {
    let file = FileServer(bytes)
    return try ScriptedStation(tail: { file.actions(for: $0) }) { visit in
      let range = visit.header("Range")?.dropFirst(6).split(separator: "-").compactMap { Int($0) } ?? []
      let rest = range.first.map { Array(bytes[$0...]) } ?? bytes
      let place = range.first.map { "Content-Range: bytes \($0)-\(bytes.count - 1)/" } ?? ""
      switch fault {
      case .unknownLength where !range.isEmpty:
        let part = range.count == 2 ? Array(rest.prefix(range[1] - range[0] + 1)) : rest
        let told = "Content-Range: bytes \(range[0])-\(range[0] + part.count - 1)/*"
        let headers = ["Content-Type: audio/mpeg", "ETag: \"1\"", told, "Content-Length: \(part.count)"]
        return [.head("206 Partial Content", headers), .send(part)]
      case .ignoresRangeEnd where isProbe(visit):
        let size = "\(bytes.count)"
        return [.head("206 Partial Content", ["Content-Type: audio/mpeg", "ETag: \"1\"", place + size]), .send(rest)]
      case .ignoresProbes where isProbe(visit): return StationAction.file(bytes)
      case .refusesProbes where isProbe(visit): return [.reset]
      case .stallsProbes where isProbe(visit): return [.stall]
      case .codesProbes where isProbe(visit):
        var other = file
        other.headers = ["Content-Encoding: x-secret"]
        return other.actions(for: visit)
      case .otherVersion where isProbe(visit):
        var other = file
        other.etag = "\"2\""
        return other.actions(for: visit)
      default: return file.actions(for: visit)
      }
    }
  }

  @Test("A server with faults delays a late start by 3 s at most, without endless requests", arguments: Fault.allCases)
  func faults(fault: Fault) async throws {
    try await Stage.run(speed: 2) {
      for form in [Self.forms[0], Self.forms[2]] {
        let station = try Self.station(fault, form.bytes)
        defer { station.close() }
        var settings = RadioSettings.bench
        settings.duration = StreamTime(seconds: 0.5)
        let rig = try RadioRig(settings)
        rig.tune(station.url("/pod.mp3")) { $0.start = StreamTime(seconds: 40) }
        #expect(rig.playOut(within: 15), "\(rig.names) \(station.firstBytes)")
        #expect(rig.radio.close().heard >= 0.49, "\(rig.names)")
        #expect(station.visits.count <= 25)
        guard fault == .ignoresRangeEnd else { continue }
        let place = try #require(Sound(form.pcm).place(of: Sound(Array(rig.pcm.prefix(20_000)))))
        #expect(abs(place - form.lead - 40) <= form.tolerance)
      }
    }
  }

  @Test("A search that fails during playback leaves the sound as it is", arguments: Fault.allCases)
  func sideFaults(fault: Fault) async throws {
    try await Stage.run(speed: 2) {
      for form in [Self.forms[0], Self.forms[2]] {
        let station = try Self.station(fault, form.bytes)
        defer { station.close() }
        let rig = try RadioRig()
        rig.tune(station.url("/pod.mp3"))
        #expect(rig.playOut(within: 40), "\(rig.names)")
        #expect(rig.names.suffix(2) == ["fileComplete", "stopped"] && !rig.names.contains("reconnecting"))
        _ = rig.radio.close()
        let lead = Int((form.lead * 44_100).rounded()) * 4
        #expect(difference(rig.pcm, Array(form.pcm.dropFirst(lead))) == nil)
      }
    }
  }

  @Test("A seek during the search is served at once, and the search starts again")
  func seekDuringSearch() async throws {
    try await Stage.run {
      let form = Self.forms[2]
      let file = FileServer(form.bytes)
      let isFirst = Gate()
      let station = try ScriptedStation(tail: { file.actions(for: $0) }) { visit in
        // The first probe stalls.
        guard Self.isProbe(visit), !isFirst.isOpen else { return file.actions(for: visit) }
        isFirst.open()
        return [.stall]
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url("/pod.mp3"))
      #expect(rig.next("playing") != nil && rig.run(10) { isFirst.isOpen })
      rig.radio.seek(to: 15)
      #expect(rig.next("seekDone", within: 2) != nil)
      #expect(rig.run(10) { abs((rig.radio.duration ?? 0) / form.duration - 1) < 0.01 }, "\(rig.radio.duration ?? 0) s")
      #expect(rig.radio.close().underruns == 0)
    }
  }
}
