import Foundation
import SeededRandom
import Testing
import Units

@testable import Blocks

/// The reader seeks to any buffered position (R3.2).
@Suite struct SeekTests {
  private func time(_ packets: Int, plus ticks: Int64 = 0) -> StreamTime {
    StreamTime(ticks: Packet.duration.ticks * Int64(packets) + ticks)
  }

  @Test("A seek finds the packet for a time, in any block", arguments: [0, 1, 11, 12, 13, 57, 98, 99])
  func findsThePacket(_ number: Int) throws {
    let bench = try RingBench()
    for number in 0..<100 { #expect(bench.write(number)) }
    for offset in [0, 1, Packet.duration.ticks - 1] {
      #expect(bench.seek(to: time(number, plus: offset)) == time(number))
      #expect(bench.unread == time(100 - number))
      let (read, held) = try #require(bench.read())
      #expect((read, held.start) == (number, time(number)))
    }
  }

  @Test func itGoesAsFarAsIsHeld() throws {
    let bench = try RingBench()
    #expect(bench.seek(to: .zero) == nil)
    var number = 0
    for _ in 0..<400 {
      #expect(bench.write(number))
      #expect(bench.read()?.number == number)
      number += 1
    }
    let oldest = bench.statistics.oldest
    #expect(oldest > .zero)
    #expect(bench.seek(to: .zero) == oldest)
    let (read, held) = try #require(bench.read())
    #expect(time(read) == oldest && held.start == oldest)
    #expect(bench.seek(to: time(999)) == time(400))
    #expect(bench.read() == nil)
    #expect(bench.write(number))
    #expect(bench.read()?.number == 400)
  }

  @Test func whatWasLeftOutAtAStitchIsNotFound() throws {
    let bench = try RingBench()
    for number in 0..<5 { #expect(bench.write(number)) }
    bench.finish()
    #expect(bench.seek(to: time(3)) == time(3))
    #expect(bench.read()?.number == 3)
  }

  @Test("A seeking reader never reads a torn packet while the writer drops blocks")
  func leapsWhileTheWriterDrops() throws {
    nonisolated(unsafe) let bench = try RingBench(blockCount: 64)
    let count = 40_000
    nonisolated(unsafe) var written = 0
    concurrently {
      while written < count { if bench.write(written, byteCount: 700) { written += 1 } }
      bench.finish()
    } _: {
      var random = SeededGenerator(7)
      var last = -1
      while last < count - 1 {
        if UInt8.random(in: 0..<16, using: &random) == 0 {
          let held = bench.statistics
          let goal = StreamTime(
            ticks: Int64.random(in: held.oldest.ticks...max(held.oldest, held.written).ticks, using: &random))
          guard let found = bench.seek(to: goal) else { continue }
          last = Int(found.ticks / Packet.duration.ticks) - 1
        }
        guard let (number, held) = bench.read() else { continue }
        if held.start != time(number) || number != last + 1 && number < last {
          Issue.record("packet \(number) at \(held.start.seconds) s after \(last)")
          return
        }
        last = number
      }
    }
  }

  @Test("A search does not count as played: nothing unplayed is dropped for it")
  func searchesDropNothingUnheard() throws {
    nonisolated(unsafe) let bench = try RingBench(blockCount: 64)
    var next = 0
    while bench.write(next, byteCount: 700) { next += 1 }
    let place = 21
    for number in 0..<place { #expect(bench.read()?.number == number) }
    nonisolated(unsafe) var written = next
    var found: StreamTime? = time(place)
    concurrently {
      // Only played blocks can be replaced.
      for _ in 0..<400_000 where bench.write(written, byteCount: 700) { written += 1 }
      bench.finish()
    } _: {
      while !bench.hasEnded(1), found == time(place) { found = bench.seek(to: time(place)) }
    }
    #expect(found == time(place))
    #expect(written - next < 2 * place)
    for number in place..<written { #expect(bench.read()?.number == number) }
  }

  @Test("A search does not delay the release of played blocks")
  func searchesHoldNothingUp() throws {
    nonisolated(unsafe) let bench = try RingBench(blockCount: 64)
    // Seven of these packets fill a block. With 14 packets unread, all but three blocks may be dropped.
    let few = time(14)
    nonisolated(unsafe) var refusals = 0
    concurrently {
      var number = 0
      for _ in 0..<3_000 {
        for _ in 0..<140 where bench.write(number, byteCount: 700) { number += 1 }
        while bench.unread > few { sched_yield() }
        if !bench.makeRoom(58) { refusals += 1 }
      }
      bench.finish()
    } _: {
      while !bench.hasEnded(1) { _ = bench.seek(to: time(1 << 20)) }
    }
    #expect(refusals == 0)
  }

  @Test("The start of a packet is known without a seek")
  func tellsAStart() throws {
    let bench = try RingBench()
    #expect(bench.start(at: .zero) == nil)
    for number in 0..<60 { #expect(bench.write(number)) }
    #expect(bench.read()?.number == 0)
    for number in [0, 1, 13, 59] { #expect(bench.start(at: time(number, plus: 1)) == time(number)) }
    #expect(bench.start(at: time(99)) == time(60))
    #expect(bench.statistics.playing == 0 && bench.unread == time(59))
    #expect(bench.read()?.number == 1)
  }

  @Test("A rewind by a second costs the same as by the ring, even with a hundred times the blocks (R3.2)")
  func costs() throws {
    let costs = try [1_200, 120_000].map { blockCount in
      let bench = try RingBench(blockCount: blockCount)
      for number in 0..<(blockCount - 1) { #expect(bench.write(number, byteCount: 5_000)) }
      let end = time(blockCount - 1)
      // The minimum of many runs is the cost without other load.
      func cost(_ target: StreamTime) -> Double {
        (0..<400).map { _ in
          _ = bench.seek(to: end)
          return ContinuousClock().measure { _ = bench.seek(to: target) } / .microseconds(1)
        }.min() ?? 0
      }
      let (near, far) = (cost(end - StreamTime(seconds: 1)), cost(.zero))
      print("seek: \(near) µs for a second, \(far) µs for all of \(blockCount) blocks")
      return (near: near, far: far)
    }
    for cost in costs { #expect(cost.far < cost.near * 4 + 5 && cost.near < cost.far * 4 + 5) }
    // Seven more steps: doubling the blocks adds one step.
    #expect(costs[1].far < costs[0].far * 8 + 5)
  }
}
