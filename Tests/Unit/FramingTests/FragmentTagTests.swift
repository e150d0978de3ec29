@testable import Framing
import MediaSupport
import Testing

struct FragmentTagTests {
  static let writer = FragmentWriter()
  static let units = AccessUnits.some
  static let tag = Build.id3(Array("TIT2".utf8) + BoxWriter.u32(6) + [0, 0, 3] + Array("Title".utf8))
  static let schemes = ["https://aomedia.org/emsg/ID3", "https://developer.apple.com/streaming/emsg-id3"]

  static func emsg(_ scheme: String, version: UInt8, value: String = "", _ data: [UInt8]) -> [UInt8] {
    let texts = Array(scheme.utf8) + [0] + Array(value.utf8) + [0]
    return version == 0
      ? BoxWriter.full("emsg", texts, BoxWriter.u32(90_000, 0, 0xFFFF_FFFF, 4), data)
      : BoxWriter.full("emsg", version: version, BoxWriter.u32(90_000, 0, 900, 0xFFFF_FFFF, 4), texts, data)
  }

  @Test("An ID3 tag returns unchanged", arguments: schemes, [0, 1] as [UInt8])
  func whole(scheme: String, version: UInt8) {
    let tags = [Self.tag, Build.id3(Build.quiet(60_000, seed: 4)), Self.tag + Self.tag]
    let events = tags.map { Self.emsg(scheme, version: version, value: "www.nielsen.com", $0) }
    let stream =
      Self.writer.head() + events[0] + events[1] + Self.writer.fragment(Self.units) + events[2]
      + Self.writer.fragment(Self.units)
    for step in [1, 700, Int.max] {
      let read = ReadFragments(stream, step: step)
      #expect(read.tags == tags)
      #expect(read.packets == AccessUnits.frames(Self.units + Self.units))
    }
  }

  @Test func itNeedsNoHead() {
    #expect(ReadFragments(Self.emsg(Self.schemes[0], version: 1, Self.tag)).tags == [Self.tag])
  }

  @Test func whatElseEventsCarryIsPassedOver() {
    let scheme = Self.schemes[0]
    let events = [
      Self.emsg("urn:scte:scte35:2013:bin", version: 0, Self.tag), Self.emsg(scheme + "x", version: 0, Self.tag),
      Self.emsg(String(scheme.dropLast()), version: 1, Self.tag), Self.emsg(scheme, version: 2, Self.tag),
      Self.emsg(scheme, version: 0, []), Self.emsg(scheme, version: 1, []),
      BoxWriter.full("emsg", Array(scheme.utf8)), BoxWriter.full("emsg", Array(scheme.utf8) + [0, 0, 1]),
      BoxWriter.make("emsg"), BoxWriter.make("emsg", [0]), BoxWriter.full("emsg", version: 1, [0, 0, 0]),
    ]
    let read = ReadFragments(Self.writer.head() + events.flatMap { $0 } + Self.writer.fragment(Self.units), step: 19)
    #expect(read.tags.isEmpty)
    #expect(read.packets == AccessUnits.frames(Self.units))
  }

  @Test func oneThatIsTooLongIsPassedOverAndNoted() {
    let long = Self.emsg(Self.schemes[0], version: 0, [UInt8](repeating: 1, count: FragmentReader.maxBoxByteCount))
    var reader = FragmentReader()
    let stream = Self.writer.head() + long + Self.writer.fragment(Self.units)
    let read = ReadFragments(stream, with: &reader, step: 4_096)
    #expect(read.tags.isEmpty && read.packets == AccessUnits.frames(Self.units))
    #expect(reader.oversizedBoxCount == 1)
  }
}
