import Blocks
import CAllocGuard
import DecoderBench
import Decoding
import Testing
import Units

/// libmad, libfaad and the conversions allocate no memory per packet; both decoders allocate with the first packets.
struct AllocationTests {
  @Test(
    "Decoders allocate no memory per packet", .enabled(if: guard_works(), "a sanitizer has a malloc of its own"),
    arguments: ["vbr-44100.mp3", "layer2-44100.mp2", "lc-44100.aac", "he2-44100.aac"])
  func decodersAllocateNothing(name: String) throws {
    let packets = try Programme(name).packets
    var decoder = PacketDecoder(.bits24)
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 8192)
    // A packet of HE-AAC has 2,048 frames.
    let room = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * 2_048)
    defer {
      bytes.deallocate()
      room.deallocate()
    }
    // The first packet creates the decoder; libfaad allocates for SBR at the second.
    for (index, packet) in packets.enumerated() {
      bytes.update(from: packet.bytes, count: packet.bytes.count)
      guard_start()
      let pcm = try? decoder.decode(bytes, packet.info)
      if let pcm { decoder.copy(pcm, from: 0, count: pcm.frameCount, to: room) }
      let counts = guard_stop()
      #expect(pcm != nil && (index <= (name.hasSuffix(".aac") ? 1 : 0) || counts.allocations + counts.frees == 0))
    }
  }

  @Test(.enabled(if: guard_works(), "a sanitizer has a malloc of its own"))
  func conversionTakesNoMemory() throws {
    guard var converter = RateConverter(from: SampleRate(44_100), to: SampleRate(48_000)) else { return }
    let room = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * Period.frameCapacity)
    defer { room.deallocate() }
    room.initialize(repeating: 1000, count: 2 * Period.frameCapacity)
    var rounds = 50
    guard_start()
    // Unoptimised code of Swift 6.2 for arm64 allocates memory for a loop over a range.
    while rounds > 0 {
      converter.consume(room, count: Period.maxPart)
      while converter.next(room) > 0 {}
      rounds -= 1
    }
    converter.flush()
    while converter.next(room) > 0 {}
    let counts = guard_stop()
    #expect(counts.allocations + counts.frees == 0)
  }
}

struct InterpolatorAllocationTests {
  @Test(.enabled(if: guard_works(), "a sanitizer has a malloc of its own"))
  func steeringTakesNoMemory() {
    var interpolator = Interpolator(.bits16Dithered)
    let room = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * Period.frameCapacity)
    defer { room.deallocate() }
    room.initialize(repeating: 1000, count: 2 * Period.frameCapacity)
    func play() {
      for parts: Int32 in stride(from: -3_000_000, through: 3_000_000, by: 1_500_000) {
        interpolator.steer(to: ClockRatio(partsPerBillion: parts))
        var rounds = 12
        while rounds > 0 {
          if interpolator.consume(room, count: Period.frameCapacity) { while interpolator.next(room) > 0 {} }
          rounds -= 1
        }
      }
      interpolator.flush()
      while interpolator.next(room) > 0 {}
    }
    // Unoptimised code creates metadata of vector types at first use, so the first call is not counted.
    // Unoptimised code of Swift 6.2 for arm64 also allocates memory for a loop over a range.
    play()
    guard_start()
    play()
    let counts = guard_stop()
    #expect(counts.allocations == 0)
    #expect(counts.frees == 0)
  }
}
