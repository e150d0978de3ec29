import Foundation
import Http
import MediaSupport
import RadioEngine
import RadioSupport
import SeededRandom
import TestSupport
import Testing
import Units

/// Seeks in Ogg, FLAC, WAV and AIFF files; the reported position is the audible position (C1, C2, O2).
///
/// `BAKELITE_SEEKS=100` sets the number of seeks for each file, over HTTP and in a local file.
@Suite struct EncodedSeekTests {
  static let usualCount = ProcessInfo.processInfo.environment["BAKELITE_SEEKS"].flatMap { Int($0) } ?? 10

  struct File: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var type: String
    var rate: Int
    var sound: (bytes: [UInt8], pcm: [UInt8])
    /// True if decoded samples depend on much earlier packets.
    var isVague = false
    var seekCount = EncodedSeekTests.usualCount
    /// Start of each link in seconds.
    var starts: [Double] = []

    init(_ name: String, _ type: String, _ rate: Int, _ sound: (bytes: [UInt8], pcm: [UInt8])) {
      (testDescription, self.type, self.rate, self.sound) = (name, type, rate, sound)
    }

    /// Joins links with different serial numbers; the granule positions of each link start at 0.
    init(_ name: String, _ links: [OggLink], isVague: Bool = false) {
      self.init(name, "audio/ogg", links[0].music.rate, (links.flatMap(\.bytes), links.flatMap(\.music.pcm)))
      self.isVague = isVague
      guard links.count > 1 else { return }
      seekCount /= 4
      starts = links.dropLast().reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.music.duration) }
    }

    var duration: Double { Double(sound.pcm.count / S24Samples.frameByteCount) / Double(rate) }

    func title(at seconds: Double) -> String? { starts.lastIndex { $0 <= seconds }.map { "Song \($0)" } }

    func frame(at seconds: Double) -> Int { Int((seconds * Double(rate) - 1e-3).rounded(.up)) }
  }

  private static let music = Music(frames: 30 * 8_000 + 99, rate: 8_000, seed: 50)
  private static let other = Music(frames: 30 * 48_000 + 7, rate: 48_000, seed: 51)

  /// Ten seconds of short packets, then twenty seconds of packets six times as long.
  private static let uneven = EncodedMusic(
    Music(
      [
        Music(frames: 10 * 8_000, rate: 8_000, noise: 0, seed: 52),
        Music(frames: 20 * 8_000, rate: 8_000, noise: 0.5, seed: 53),
      ]),
    .flac(block: 512))

  private static func flac(_ music: EncodedMusic) -> (bytes: [UInt8], pcm: [UInt8]) { (music.flac(), music.pcm) }

  /// Links with different music, each slightly longer than `seconds`.
  private static func chain(_ form: EncodedMusic.Codec, _ count: Int, _ seconds: Double) -> [OggLink] {
    (0..<count).map { index in
      let rate = if case .opus = form { 48_000 } else { 8_000 }
      let frames = Int(seconds * Double(rate)) + 111 * (index % 7)
      let music = Music(frames: frames, rate: rate, seed: UInt64(100 + index))
      return OggLink(EncodedMusic(music, form), "Song \(index)", serial: UInt32(500 + index))
    }
  }

  static let files = [
    File("WAV", "audio/wav", 8_000, WavWriter().file(music)),
    File("AIFF", "audio/aiff", 8_000, AiffWriter().file(music)),
    File("FLAC", "audio/flac", 8_000, flac(EncodedMusic(music, .flac(block: 512)))),
    File("FLAC, soft and loud", "audio/flac", 8_000, flac(uneven)),
    File("FLAC in Ogg", [OggLink(EncodedMusic(music, .flac(block: 512)))]),
    File("Vorbis", [OggLink(EncodedMusic(music, .vorbis))]),
    File("Opus", [OggLink(EncodedMusic(other, .opus()))], isVague: true),
    File("FLAC in Ogg, kept of a live stream", [OggLink(EncodedMusic(music, .flac(block: 512)), origin: 1 << 28)]),
    File("Vorbis, kept of a live stream", [OggLink(EncodedMusic(music, .vorbis), origin: 8_000 * 3_600)]),
    // These files do not state their length.
    File("a chain of FLAC", chain(.flac(block: 512), 4, 8)),
    File("a chain of Vorbis, 40 links", chain(.vorbis, 40, 1)),
    File("a chain of Opus", chain(.opus(), 5, 7), isVague: true),
  ]

  private static func source(_ file: File, _ kind: String, in folder: TemporaryFolder) throws -> (
    ScriptedStation, String
  ) {
    let station = try ScriptedStation(FileServer(file.sound.bytes, type: file.type))
    let local = try WebAddress(filePath: folder.write(file.sound.bytes, to: "sound")).url.unredacted
    return (station, kind == "local" ? local : station.url("/sound"))
  }

  @Test(
    "After each of many seeks the audio matches the reported position (R3.4, C1, C2)",
    arguments: files,
    ["HTTP", "local"])
  func seeks(file: File, kind: String) async throws {
    try await Stage.run(speed: 4) {
      let folder = TemporaryFolder()
      let (station, url) = try Self.source(file, kind, in: folder)
      defer { station.close() }
      let rig = try RadioRig.seeking(in: url, rate: file.rate)
      var random = SeededGenerator(kind == "local" ? 60 : 61)
      var seeks: [(position: Double, heard: Range<Int>)] = []
      for _ in 0..<file.seekCount {
        var goal = 0.0
        repeat {
          goal = Double.random(in: 0..<file.duration * 0.8, using: &random)
        } while abs(goal - rig.radio.status.position) < 0.5
        let before = rig.pcmCount / S24Samples.frameByteCount * S24Samples.frameByteCount
        rig.radio.seek(to: goal)
        guard case .seekDone(let position, let requested) = rig.next("seekDone") else {
          Issue.record("it never came to \(goal) s: \(rig.names.suffix(5))")
          return
        }
        #expect(abs(requested - goal) < 1e-6 && position <= requested + 1e-6 && position > requested - 0.2)
        guard rig.run(until: { rig.radio.status.position > position + 0.12 || rig.radio.state == .stopped }) else {
          Issue.record("no sound at \(goal) s: \(rig.names.suffix(5))")
          return
        }
        #expect(rig.radio.status.position < position + 2)
        let isNamed = rig.run {
          let status = rig.radio.status
          return status.title?.text == file.title(at: status.position)
        }
        #expect(isNamed, "\(rig.radio.status.title?.text ?? "no title") at \(rig.radio.status.position) s")
        seeks.append((position, before..<rig.pcmCount))
      }
      _ = rig.radio.close()
      let pcm = rig.pcm
      for seek in seeks {
        let fault = Self.fault(Array(pcm[seek.heard.clamped(to: 0..<pcm.count)]), file, from: seek.position)
        #expect(rig.holdsUnlessLate(fault == nil), "\(seek.position) s: \(fault ?? "")")
      }
    }
  }

  private static func fault(_ heard: [UInt8], _ file: File, from position: Double) -> String? {
    let (size, first) = (S24Samples.frameByteCount, file.frame(at: position))
    let ramp = file.rate / 200 + 2
    let piece = file.sound.pcm[(first + ramp) * size..<(first + ramp + file.rate / 20) * size]
    guard !file.isVague else {
      let place = RecordingComparison.place(
        of: RecordingComparison.samples(piece), in: RecordingComparison.samples(heard))
      return place == nil ? "another sound" : nil
    }
    guard let place = S24Samples.place(of: piece, in: heard) else { return "another sound" }
    // All audible samples are at or after the position.
    let before = max(0, first - 2 * ramp)..<max(0, first - ramp)
    let lead = (place - 3 * ramp) * size..<(place - 2 * ramp) * size
    guard lead.lowerBound >= 0, before.count == ramp else { return nil }
    let isEarly = heard[lead] == file.sound.pcm[before.lowerBound * size..<before.upperBound * size]
    return isEarly ? "what lies before is heard" : nil
  }

  @Test(
    "A start inside the file plays the right sample (O1, O2, C1, C2)", arguments: files, ["HTTP", "local"])
  func starts(file: File, kind: String) async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let (station, url) = try Self.source(file, kind, in: folder)
      defer { station.close() }
      var random = SeededGenerator(62)
      for number in 0..<3 {
        let start = number == 0 ? file.duration - 0.3 : Double.random(in: 0..<file.duration - 0.3, using: &random)
        var settings = RadioSettings.bench
        settings.duration = StreamTime(seconds: 0.1)
        let rig = try RadioRig(settings, format: "s24le/\(file.rate)/2")
        rig.tune(url) { $0.start = StreamTime(seconds: start) }
        #expect(rig.playOut(), "\(start) s: \(rig.names)")
        _ = rig.radio.close()
        let heard = rig.pcm
        let wanted = file.sound.pcm.dropFirst(file.frame(at: start) * S24Samples.frameByteCount).prefix(heard.count)
        #expect(heard.count > file.rate / 12 * S24Samples.frameByteCount, "\(start) s: \(rig.names)")
        if file.isVague {
          #expect(
            RecordingComparison.ratio(RecordingComparison.samples(heard), RecordingComparison.samples(wanted)) > 10_000,
            "\(start) s")
        } else {
          #expect(difference(heard, Array(wanted)) == nil, "\(start) s")
        }
      }
    }
  }
}
