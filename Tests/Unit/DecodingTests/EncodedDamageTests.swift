import Blocks
import DecoderBench
import Decoding
import Framing
import MediaSupport
import SeededRandom
import Testing
import Units

/// Damage of Ogg and FLAC is at most 6 dB louder than the programme, because checksums detect the damage (R4.5). WAV
/// has no checksums.
struct EncodedDamageTests {
  /// Quiet music, encoded in one format.
  struct Quiet: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let container: StreamContainer
    let bytes: [UInt8]
    /// Offset of the first audio, in bytes.
    let start: Int

    init(ogg name: String, _ form: EncodedMusic.Codec) {
      let link = OggLink(EncodedMusic(Quiet.music, form), packetsPerPage: 4)
      (testDescription, container, bytes, start) = ("\(name) in Ogg", .ogg, link.bytes, link.head.count)
    }

    init(flacOf bits: Int) {
      let music = EncodedMusic(Quiet.music, .flac(bits: bits, block: 1_152))
      (testDescription, container, bytes) = ("FLAC of \(bits) bits", .flac, music.flac())
      start = bytes.count - music.packets.reduce(0) { $0 + $1.bytes.count }
    }

    /// 34 dB below full scale, 1.5 s.
    private static let music = Music(Music(frames: 72_000, rate: 48_000, seed: 9), gain: 0.05)

    func hear(_ bytes: [UInt8]) -> [DecodedPacket] {
      let setups = SetupTable()
      var decoder = PacketDecoder(.bits24, setups: setups)
      var framer = container.makeFramer()!
      var (heard, setup, place): ([DecodedPacket], UInt8, Int) = ([], 0, 0)
      func drain() {
        while true {
          var packet: Packet?
          switch framer.next({ packet = Packet(info: $0, bytes: $1.array) }) {
          case .setup(let new): setup = setups.number(of: new)
          case .tags: continue
          case .needsMore: return
          case .packet:
            guard var packet else { return }
            packet.info.format.setup = setup
            heard.append(decoder.decodePacket(packet))
          }
        }
      }
      while place < bytes.count {
        place += framer.append(bytes.span.extracting(place..<bytes.count))
        drain()
      }
      framer.finish()
      drain()
      return heard
    }
  }

  static let all = [
    Quiet(ogg: "Vorbis", .vorbis), Quiet(ogg: "Opus", .opus()), Quiet(ogg: "FLAC", .flac(block: 1_152)),
    Quiet(flacOf: 16), Quiet(flacOf: 24),
  ]

  @Test(arguments: all)
  func damageIsNoLouderThanTheProgrammeAndGoesBy(_ quiet: Quiet) {
    let truth = quiet.hear(quiet.bytes)
    let frames = truth.reduce(0) { $0 + $1.samples.count }
    let most = 2 * Int(truth.peak)
    #expect(truth.allSatisfy { $0.error == nil } && most < 2_000_000)
    var random = SeededGenerator(UInt64(quiet.start))
    let third = (quiet.bytes.count - quiet.start) / 3
    var (loud, short) = (0, 0)
    for seed in 0..<80 {
      var bytes = quiet.bytes
      let place = quiet.start + third + Int.random(in: 0..<third, using: &random)
      DamageLevelTests.Damage.allCases[seed % 5].spoil(&bytes, at: place, &random)
      let heard = quiet.hear(bytes)
      loud += Int(heard.peak) > most ? 1 : 0
      // One or two pages are lost with their packets.
      short += heard.reduce(0) { $0 + $1.samples.count } < frames / 5 * 3 ? 1 : 0
    }
    #expect(loud == 0)
    #expect(short == 0)
  }
}
