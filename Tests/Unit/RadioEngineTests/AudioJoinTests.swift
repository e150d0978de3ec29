import Blocks
import Decoding
import MediaSupport
import Testing
import Units

@testable import RadioEngine

/// The comparison of two encoders' audio in the ring (F1).
struct AudioJoinTests {
  /// Frames of a packet: 0.25 s.
  private static let frameCount = 2_000

  /// Appends a part of a programme in packets of 16-bit mono samples.
  private static func write(
    _ programme: SyntheticProgramme, from start: Double, _ seconds: Double, _ setup: UInt8, to writer: inout BlockWriter
  ) {
    let rate = SampleRate(8_000)
    for packet in 0..<Int(seconds * 4) {
      let first = Int(start * 8_000) + packet * frameCount
      let samples = programme.samples[first..<first + frameCount].map { Int16($0 * 20_000).littleEndian }
      let info = PacketInfo(
        format: PacketFormat(codec: .pcm, sampleRate: rate, channels: 1, setup: setup), byteCount: 2 * frameCount,
        duration: StreamTime(frames: FrameCount(frameCount), at: rate), byteOffset: 0, followsGap: false)
      let isWritten = samples.withUnsafeBytes { writer.append(info, $0) }
      #expect(isWritten)
    }
  }

  @Test("The place is right, also if the ring drops the oldest audio during the comparison (F1)", arguments: [200, 80])
  func place(blockCount: Int) throws {
    let programme = SyntheticProgramme.music(30, seed: 4)
    let arena = try Arena(.kibi(2_048))
    let ring = BlockRing.make(blockCount: blockCount, in: arena)
    var writer = BlockWriter(ring)
    writer.begin(epoch: 1)
    var reader = BlockReader(ring)
    let setups = SetupTable()
    // WAVEFORMATEX: PCM, mono, 8,000 Hz, 16 bits.
    let format: [UInt8] = [1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x80, 0x3E, 0, 0, 2, 0, 16, 0]
    let setup = setups.number(of: CodecSetup(.pcm, [format]))
    Self.write(programme, from: 0, 16, setup, to: &writer)
    let change = writer.time
    var join = AudioJoin(at: change, reader.cursor(), PacketDecoder(.bits24, setups: setups))
    join.work(1)
    let room = UnsafeMutablePointer<UInt8>.allocate(capacity: MemoryBudget.decoderScratch)
    defer { room.deallocate() }
    while reader.next(into: room) != nil {}
    Self.write(programme, from: 12, 14, setup, to: &writer)
    repeat { join.work(1) } while !join.isIdle
    let found = join.place(for: change)
    let place = try #require(found)
    #expect(abs((place - change).seconds - 4) < 0.001)
    withExtendedLifetime(arena) {}
  }

  @Test("A conversion from another rate than that of the crossfade is not primed")
  func primer() throws {
    var fade = Crossfade(at: SampleRate(48_000))
    let old = [Int32](repeating: 1_000_000, count: 2 * 960)
    old.withUnsafeBufferPointer {
      guard let frames = $0.baseAddress else { return }
      fade.appendPrimer(frames, count: 480, at: SampleRate(48_000))
      fade.append(frames, count: 960, at: SampleRate(48_000))
    }
    fade.finish()
    func converted(_ rate: Int32, isPrimed: Bool) -> Int32? {
      var converter = RateConverter(from: SampleRate(rate), to: .cd)
      if isPrimed { fade.prime(&converter) }
      let new = [Int32](repeating: 0, count: 2 * 960)
      var out = [Int32](repeating: 0, count: Period.frameCapacity * Period.channels)
      new.withUnsafeBufferPointer { if let frames = $0.baseAddress { converter?.consume(frames, count: 960) } }
      let count = out.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { converter?.next($0) } ?? 0 }
      return count > 0 ? out[..<count].map(\.magnitude).max().map(Int32.init) : nil
    }
    #expect(converted(192_000, isPrimed: true) == 0 && converted(192_000, isPrimed: false) == 0)
    let edge = try #require(converted(48_000, isPrimed: true))
    #expect(edge > 10_000)
  }
}
