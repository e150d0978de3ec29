import Directory
import DirectorySupport
import Foundation
import TestSupport
import Testing

@testable import Control

/// Costs of browsing and searching on the control thread. `make browsing` prints them for 40,000 stations.
@Suite(.serialized) struct BrowseCostTests {
  private static let isFigures = ProcessInfo.processInfo.environment["BAKELITE_FIGURES"] != nil
  /// True in `make browsing`.
  private static let isOptimized = ProcessInfo.processInfo.environment["BAKELITE_OPTIMIZED"] != nil
  private static let directory = Result { try SampleDirectory.make(SampleStations(isFigures ? 40_000 : 2_000)) }

  /// The processor time of this thread, in seconds.
  private static func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The anonymous resident memory of the process, in bytes.
  private static func anonymousMemory() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
  }

  @Test(
    "No part of a reply occupies the control thread for long, whatever the query (G4)",
    arguments: [
      "lsinfo Radio", "lsinfo Radio/All", "lsinfo \"Radio/United States\"", "lsinfo Radio/Germany/Jazz",
      "listall", "listallinfo", "search any \"jazz berlin\"", "search any radio", "search any zzqwxy",
      "search any \"zzqwxy yyqwxz qqwxyz wwxyzq\"", "search title radio sort -Title",
      "search \"(file != '')\" sort Artist",
      "search \"(file contains 'zzz')\"", "find \"(title contains 'zzz')\"",
      "find \"(!(genre == 'Jazz'))\" window 39000:",
      "find genre Jazz", "list genre", "list artist", "list title group artist", "count group genre",
      "count \"(file contains 'a')\"", "radio_find radio", "stats", "add Radio", "findadd base Radio position 0",
    ])
  func pieces(_ command: String) throws {
    let (bench, directory) = (try Bench(), try Self.directory.get())
    bench.context.browse { .open(directory) }
    let session = ControlSession(bench.commands, isLocal: true)
    session.client.removeSent(session.client.outgoing.count)
    let before = Self.anonymousMemory()
    session.receive(Array((command + "\n").utf8))
    var (count, total, longest, bytes, memory, last) = (0, 0.0, 0.0, 0, 0, "")
    repeat {
      let start = Self.threadTime()
      session.work(1)
      bench.player.settle()
      let time = Self.threadTime() - start
      (count, total, longest) = (count + 1, total + time, max(longest, time))
      bytes += session.client.outgoing.count
      last = String(decoding: session.client.outgoing.suffix(3), as: UTF8.self)
      session.client.removeSent(session.client.outgoing.count)
      if Self.isFigures { memory = max(memory, Self.anonymousMemory() - before) }
    } while session.hasWork
    #expect(last == "OK\n")
    if Self.isFigures {
      let figures = [total * 1e3, longest * 1e3, Double(bytes) / 1e3, Double(memory) / 1e6]
      print(
        command.padding(toLength: 48, withPad: " ", startingAt: 0),
        String(format: "%5ld pieces", count),
        String(format: "%8.2f ms, longest %6.2f ms, %7.1f kB, + %5.2f MB", arguments: figures))
      #expect(memory <= 2_000_000)
    }
    // Debug builds take about ten times as long, longest for unknown words.
    #expect(longest < (Self.isOptimized ? 0.01 : 0.5) * Processor.slowness, "\(longest) s in one piece")
  }
}
