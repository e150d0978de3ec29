import Blocks
import CAllocGuard
import DecoderBench
import Decoding
import Testing
import Units

/// The decode thread allocates no memory per packet once it has decoded the longest packets.
struct StreamAllocationTests {
  @Test(
    .enabled(if: guard_works(), "a sanitizer has a malloc of its own"), arguments: DamagedStreamTests.streams.indices,
    [SampleDepth.bits16Dithered, .bits24])
  func packetsTakeNoMemory(index: Int, depth: SampleDepth) {
    let stream = DamagedStreamTests.streams[index]()
    var decoder = stream.decoder(depth)
    let longest = stream.packets.map(\.bytes.count).max() ?? 0
    let step = min(1_000, longest)
    let room = UnsafeMutablePointer<UInt8>.allocate(capacity: longest + PacketDecoder.guardByteCount)
    let out = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * 8_192)
    defer {
      room.deallocate()
      out.deallocate()
    }
    func play(_ packet: Packet) {
      packet.bytes.withUnsafeBufferPointer { bytes in
        guard let start = bytes.baseAddress else { return }
        var place = min(step, bytes.count)
        room.update(from: start, count: place)
        let pcm = try? decoder.decode(room, packet.info, firstCount: place) { room in
          let count = min(step, bytes.count - place)
          room.update(from: start + place, count: count)
          place += count
          return count
        }
        if let pcm { decoder.copy(pcm, from: 0, count: pcm.frameCount, to: out) }
      }
    }
    for packet in stream.packets { play(packet) }
    var gap = stream.packets[0]
    gap.info.followsGap = true
    play(gap)
    var next = 0
    guard_start()
    // Unoptimised Swift code allocates for a loop over packets.
    while next < stream.packets.count {
      play(stream.packets[next])
      next += 1
    }
    let packets = guard_stop()
    guard_start()
    play(gap)
    let forgetting = guard_stop()
    #if arch(arm64)
      // libopus 1.5 opens a file there at a reset, and for each packet of several streams.
      let (isFree, isFreeToForget) = (index != 5, index != 4 && index != 5)
    #else
      let (isFree, isFreeToForget) = (true, true)
    #endif
    for (counts, isFree) in [(packets, isFree), (forgetting, isFreeToForget)] {
      #expect(counts.allocations == counts.frees && (counts.allocations == 0 || !isFree))
    }
  }
}
