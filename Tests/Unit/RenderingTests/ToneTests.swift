import Blocks
import Foundation
import Testing
import Units

@testable import Rendering

/// The tone of the fallback chain (F4).
struct ToneTests {
  /// Renders a tone in pieces of different lengths; returns the left samples.
  private static func samples(
    _ count: Int, at rate: SampleRate, gain: Int32 = Gain.unity, isAlarm: Bool = false
  ) throws -> [Int32] {
    let arena = try Arena(.kibi(16))
    let board = StatusBoard.make(in: arena)
    board.pointee.gain.store(gain, ordering: .relaxed)
    board.pointee.hasAlarmTone.store(isAlarm, ordering: .relaxed)
    board.pointee.hasTone.store(!isAlarm, ordering: .relaxed)
    var (tone, samples) = (Tone(), [Int32]())
    _ = tone.isWanted(board)
    var room = [Int32](repeating: 7, count: 2 * 1_000)
    var size = 1
    while samples.count < count {
      size = size * 7 % 997 + 1
      room.withUnsafeMutableBufferPointer { room in
        guard let start = room.baseAddress else { return }
        tone.render(into: start, count: size, at: rate, board)
      }
      samples += (0..<size).map { room[2 * $0] }
      guard (0..<size).allSatisfy({ room[2 * $0] == room[2 * $0 + 1] }) else { return [] }
    }
    return Array(samples.prefix(count))
  }

  @Test(
    "The tone has 440 Hz, half a second, -30 dBFS, and repeats every ten seconds (F4)", arguments: [44_100, 48_000])
  func shape(_ hertz: Int32) throws {
    let (rate, second) = (SampleRate(hertz), Int(hertz))
    let samples = try Self.samples(21 * second, at: rate)
    for start in [0, 10, 20] {
      let tone = samples[start * second..<start * second + second / 2]
      let crossings = zip(tone, tone.dropFirst()).count { ($0 < 0) != ($1 < 0) }
      #expect((438...441).contains(crossings), "440 half waves in half a second")
      let peak = tone.map { abs($0) }.max() ?? 0
      #expect((264_700...265_271).contains(peak))
    }
    for quiet in [1..<10, 11..<20] {
      let range = quiet.lowerBound * second - second / 2..<quiet.upperBound * second
      #expect(samples[range].allSatisfy { $0 == 0 })
    }
  }

  @Test("The tone rises and falls within 5 ms, without a step (F4)")
  func ramps() throws {
    let samples = try Self.samples(44_100, at: .cd)
    let tone = Array(samples[..<22_050])
    // The largest step of a sine: amplitude times angle.
    #expect(zip(samples, samples.dropFirst()).allSatisfy { abs($1 - $0) <= 16_900 })
    for edge in [Array(tone.prefix(220)), Array(tone.reversed().prefix(220))] {
      for (frame, sample) in edge.enumerated() { #expect(abs(sample) <= Int32(frame) * 265_271 / 220 + 1) }
    }
  }

  @Test(
    "An alarm's tone sounds for half of each second, and rises from -30 dBFS to -10 dBFS within a minute",
    arguments: [8_000, 44_100, 48_000])
  func alarm(_ hertz: Int32) throws {
    let (rate, second) = (SampleRate(hertz), Int(hertz))
    let samples = try Self.samples(90 * second, at: rate, gain: 0, isAlarm: true)
    for start in 0..<90 {
      let tone = samples[start * second..<start * second + second / 2]
      let wanted = 265_271 * pow(10, Double(min(60, start)) / 60)
      let peak = Double(tone.map { abs($0) }.max() ?? 0)
      #expect((0.97 * wanted...1.003 * wanted).contains(peak), "\(start) s: \(peak)")
      #expect(samples[start * second + second / 2..<(start + 1) * second].allSatisfy { $0 == 0 })
      let crossings = zip(tone, tone.dropFirst()).count { ($0 < 0) != ($1 < 0) }
      #expect((876...881).contains(crossings), "880 half waves in half a second")
    }
    // The largest step of a sine: amplitude times angle.
    let step = Int32(2_652_710 * 2 * Double.pi * 880 / Double(hertz)) + 2
    #expect(zip(samples, samples.dropFirst()).allSatisfy { abs($1 - $0) <= step })
  }

  @Test("A change between the tones, and a pause, start with the first frame")
  func change() throws {
    let arena = try Arena(.kibi(16))
    let board = StatusBoard.make(in: arena)
    var tone = Tone()
    _ = tone.isWanted(board)
    var room = [Int32](repeating: 7, count: 2 * 1_000)
    func first(isAlarm: Bool, isOn: Bool = true) -> [Int32] {
      board.pointee.hasAlarmTone.store(isAlarm && isOn, ordering: .relaxed)
      board.pointee.hasTone.store(isOn, ordering: .relaxed)
      let isWanted = tone.isWanted(board)
      #expect(isWanted == isOn)
      room.withUnsafeMutableBufferPointer { room in
        if let start = room.baseAddress { tone.render(into: start, count: 1_000, at: .cd, board) }
      }
      return room
    }
    let (fallback, alarm) = (first(isAlarm: false), first(isAlarm: true))
    #expect(fallback[0] == 0 && alarm[0] == 0 && fallback != alarm)
    _ = first(isAlarm: true)
    #expect(first(isAlarm: false) == fallback)
    _ = first(isAlarm: false, isOn: false)
    #expect(first(isAlarm: true) == alarm)
  }

  @Test("The volume changes the tone, and mute silences it")
  func gain() throws {
    #expect(try Self.samples(22_050, at: .cd, gain: 0).allSatisfy { $0 == 0 })
    let half = try Self.samples(22_050, at: .cd, gain: Gain.unity / 2).map { abs($0) }.max() ?? 0
    #expect((132_300...132_636).contains(half))
  }
}
