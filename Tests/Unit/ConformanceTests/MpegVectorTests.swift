import DecoderBench
import Decoding
import Testing
import Units

/// Compares ISO's and minimp3's vectors, decoded for a 16-bit sink, with their PCM.
@Suite("MPEG vectors", .corpora)
struct MpegVectorTests {
  static let all = Corpora.files("mp3-conformance/vectors", "bit")
  static let changing = "l2-nonstandard-fl1_fl2_ff"
  static let voiced = all.filter { $0.stem != changing && !Corpora.isEmpty(reference(of: $0)) }
  static let empty = all.filter { Corpora.isEmpty(reference(of: $0)) }

  static func reference(of vector: String) -> String { vector.dropLast(3) + "pcm" }

  /// The agreement of libmad 0.15 for some vectors, in dB.
  static let exceptions = [
    // Decoders differ from this reference.
    "l3-test45": 34.34,
    // Four frames overflow libmad's fixed point.
    "l3-si_huff": 15.15,
    // A truncated frame makes the reference decoder restart, while libmad continues.
    "l2-nonstandard-test32-size": 35.42,
  ]

  @Test func noneIsLeftOut() {
    #expect(Self.all.count == 49)
    #expect(Self.voiced.count == 47)
    #expect(Self.empty.map(\.stem) == ["ILL2_overalloc2"])
    #expect(Set(Self.exceptions.keys).isSubset(of: Self.voiced.map(\.stem)))
    // One PCM file belongs to a vector that starts in the middle.
    #expect(Corpora.files("mp3-conformance/vectors", "pcm").count == Self.all.count + 1)
  }

  @Test(arguments: voiced)
  func soundsAsTheReference(path: String) throws {
    let programme = Programme(try Corpora.bytes(path))
    let channels = try #require(programme.packets.first).info.format.channels
    #expect(programme.packets.allSatisfy { $0.info.format.channels == channels })
    let reference = Pcm(s16: try Corpora.bytes(Self.reference(of: path)), channels: Int(channels))
    let heard = decodePackets(programme.packets, .bits16)
    let pcm = Pcm(heard)

    // The output covers the reference except for one frame. If the reference is longer, every byte of the vector is
    // decoded.
    let isWhole = programme.isOfPacketsOnly && heard.allSatisfy { $0.samples.count == heard[0].samples.count }
    #expect(pcm.frameCount >= reference.frameCount - 1152 || isWhole)

    let psnr = pcm.psnr(against: reference)
    if let figure = Self.exceptions[path.stem] {
      #expect(psnr > figure - 1 && psnr < figure + 1.5)
    } else {
      #expect(psnr > 90)
    }
    Figures.tell(
      "MPEG", path.stem, "PSNR " + Figures.decibels(psnr), "frames \(pcm.frameCount)/\(reference.frameCount)")
  }

  /// libmpg123 does not overflow in this vector.
  @Test func overflowsAreLibmadsAlone() throws {
    let path = "mp3-conformance/vectors/l3-si_huff.bit"
    let heard = decodePackets(Programme(try Corpora.bytes(path)).packets, .bits16, mp3: .mpg123)
    #expect(Pcm(heard).psnr(against: Pcm(s16: try Corpora.bytes(Self.reference(of: path)), channels: 1)) > 100)
  }

  /// libmpg123 and libmad decode the same packets; the difference is 100 dB below full scale or less. libmad's fixed
  /// point overflows in the omitted vector.
  @Test(arguments: all.filter { $0.stem != "l3-si_huff" })
  func soundsAlikeByBothDecoders(path: String) throws {
    let packets = Programme(try Corpora.bytes(path)).packets
    let (heard, truth) = (decodePackets(packets, .bits24, mp3: .mpg123), decodePackets(packets, .bits24))
    #expect(heard.map(\.samples.count) == truth.map(\.samples.count))
    #expect(heard.map(\.rate) == truth.map(\.rate) && heard.map(\.error) == truth.map(\.error))
    let psnr = Pcm(heard).psnr(against: Pcm(truth))
    // Decoders differ from each other.
    #expect(psnr > 100 || path.stem == "l3-test45")
    if packets.contains(where: { $0.info.format.codec == .mpegLayer3 }) {
      Figures.tell("MP3 decoders", path.stem, "PSNR " + Figures.decibels(psnr), "frames \(Pcm(heard).frameCount)")
    }
  }

  /// The only packet needs more bits than it has, and no later packet confirms it.
  @Test(arguments: empty)
  func anEmptyReferenceIsAtMostTwoFrames(path: String) throws {
    let heard = decodePackets(Programme(try Corpora.bytes(path)).packets, .bits16)
    #expect(Pcm(heard).frameCount <= 2 * 1152)
    Figures.tell("MPEG", path.stem, "no output expected", "frames \(Pcm(heard).frameCount)/0")
  }

  /// Layer I in free format, with a rate and length that change in mid-stream; libmad alone loses synchronisation. The
  /// reference has only the second rate.
  @Test func changingFreeFormatIsHeard() throws {
    let path = "mp3-conformance/vectors/\(Self.changing).bit"
    let heard = decodePackets(Programme(try Corpora.bytes(path)).packets, .bits16)
    #expect(heard.map { $0.rate?.hertz } == [32_000, 32_000, 32_000, 44_100, 44_100, 44_100, 44_100])
    let reference = Pcm(s16: try Corpora.bytes(Self.reference(of: path)), channels: 2)
    let pcm = Pcm(heard.suffix(4))
    #expect(pcm.frameCount == reference.frameCount)
    let psnr = pcm.psnr(against: reference)
    #expect(psnr > 90)
    Figures.tell(
      "MPEG", path.stem, "PSNR " + Figures.decibels(psnr), "frames \(pcm.frameCount)/\(reference.frameCount)")
  }

  @Test func aVectorEnteredInTheMiddleSoundsAsTheReference() throws {
    let path = "mp3-conformance/vectors/l3-sin1k0db.bit"
    let heard = decodePackets(Programme(Array(try Corpora.bytes(path).dropFirst(633))).packets, .bits16)
    let reference = Pcm(s16: try Corpora.bytes(path.dropLast(4) + "_ofs633.pcm"), channels: 2)
    let pcm = Pcm(heard)
    let psnr = pcm.psnr(against: reference)
    #expect(psnr > 90)
    #expect(pcm.frameCount == reference.frameCount)
    Figures.tell(
      "MPEG", "l3-sin1k0db_ofs633", "PSNR " + Figures.decibels(psnr), "frames \(pcm.frameCount)/\(reference.frameCount)"
    )
  }
}

extension Programme {
  /// True if every byte belongs to a packet.
  fileprivate var isOfPacketsOnly: Bool { packets.reduce(0) { $0 + $1.bytes.count } == bytes.count }
}
