import Continuity
import Testing
import Units

/// The decisions of the fallback chain (F4), with a simulated clock.
struct ContinuityTests {
  typealias Facts = Continuity.Facts
  typealias Action = Continuity.Action

  /// A chain with its clock.
  struct Bench {
    var chain = Continuity()
    var now = MonotonicTime(seconds: 1_000)

    init(_ stepCount: Int = 2, hasTone: Bool = false) {
      _ = chain.tune(ContinuityRules(stepCount: stepCount, hasTone: hasTone), at: now)
    }

    /// Passes the time in steps of half a second; returns the actions.
    mutating func pass(_ seconds: Double, _ set: (inout Facts) -> Void = { _ in }) -> [Action] {
      var (facts, actions) = (Facts(), [Action]())
      set(&facts)
      let end = now + Duration(seconds: seconds)
      while now < end {
        now = min(end, now + Duration(milliseconds: 500))
        actions += chain.update(facts, at: now)
      }
      return actions
    }

    mutating func hear(_ seconds: Double, isSteady: Bool = false, isFile: Bool = false) -> [Action] {
      pass(seconds) { ($0.isAudible, $0.isSteady, $0.isFile) = (true, isSteady, isFile) }
    }
  }

  @Test("Each step follows after 15 s of silence (F4)")
  func silence() {
    var bench = Bench()
    #expect(bench.hear(100) == [])
    #expect(bench.pass(15) == [])
    #expect(bench.pass(0.5) == [.failOver(to: 1, .silence)])
    #expect(bench.pass(10) == [.receive(true)])
    #expect(bench.pass(4.5) == [])
    #expect(bench.pass(0.5) == [.failOver(to: 2, .silence)])
    #expect(bench.chain.source == 2 && bench.chain.isAway)
  }

  @Test("A fault starts the next step at once, but only after the buffer (F4)")
  func fault() {
    var bench = Bench()
    #expect(bench.pass(10) { ($0.isAudible, $0.isFaulty) = (true, true) } == [])
    #expect(bench.pass(0.5) { $0.isFaulty = true } == [.failOver(to: 1, .fault)])
    #expect(bench.pass(0.5) { $0.isFaulty = true } == [.failOver(to: 2, .fault)])
  }

  @Test("Dead air starts the next step at once")
  func deadAir() {
    var bench = Bench()
    #expect(bench.pass(0.5) { ($0.isAudible, $0.isDead) = (true, true) } == [.failOver(to: 1, .deadAir)])
    #expect(bench.chain.reason == .deadAir)
    // Dead air that is received steadily ends no connection attempt of the fallback.
    #expect(bench.pass(14.5) { $0.isSteady = true } == [.receive(true)])
  }

  @Test("A chain without fallback and tone does nothing")
  func off() {
    var bench = Bench(0)
    #expect(bench.pass(1_000) { $0.isFaulty = true } == [])
    #expect(!bench.chain.isAway)
  }

  @Test("A paused, stopped or suspended radio does nothing, and its silence is not counted (F4)")
  func unwanted() {
    var bench = Bench(hasTone: true)
    #expect(bench.pass(1_000) { ($0.isWanted, $0.isFaulty) = (false, true) } == [])
    #expect(bench.pass(14) == [])
    #expect(bench.pass(1_000) { $0.isWanted = false } == [])
    #expect(bench.pass(15) == [])
    #expect(bench.pass(0.5) == [.failOver(to: 1, .silence)])
    #expect(bench.hear(11) == [.receive(true)])
    #expect(bench.pass(1_000) { ($0.isWanted, $0.isSteady) = (false, true) } == [.receive(false)])
    #expect(bench.chain.source == 1)
    #expect(bench.hear(9.5) == [] && bench.hear(1) == [.receive(true)], "the way back continues after the pause")
  }

  @Test("A file's end is not silence: the return waits for enough steady audio")
  func fileEnd() {
    var bench = Bench()
    _ = bench.pass(15)
    _ = bench.hear(10)
    #expect(bench.hear(2, isSteady: true) == [])
    #expect(bench.pass(0.5) { ($0.isOver, $0.isSteady) = (true, true) } == [.playNext])
  }

  @Test("The tone plays from the end of the chain until a source is audible (F4)")
  func tone() {
    var bench = Bench(1, hasTone: true)
    #expect(bench.pass(0.5) { $0.isFaulty = true } == [.failOver(to: 1, .fault)])
    #expect(bench.pass(0.5) { $0.isFaulty = true } == [.tone(true, .fault)])
    // The next round starts 10 s after the first.
    #expect(bench.pass(8.5) { $0.isFaulty = true } == [])
    #expect(bench.pass(0.5) { $0.isFaulty = true } == [.retry])
    #expect(bench.pass(1) { $0.isFaulty = true } == [.failOver(to: 1, .fault)])
    #expect(bench.pass(18.5) { $0.isFaulty = true } == [.receive(true)])
    #expect(bench.pass(0.5) { $0.isFaulty = true } == [.receive(false), .retry])
    #expect(bench.hear(0.5) == [.tone(false, .silence), .report(after: Duration(seconds: 30))])
    #expect(!bench.chain.isAway && bench.chain.reason == nil)
  }

  @Test("The tone ends when a fallback is audible, when the radio pauses, and at another station")
  func toneEnds() {
    let ends: [(inout Bench) -> [Action]] = [
      { $0.hear(0.5) }, { $0.pass(0.5) { $0.isWanted = false } },
      { $0.chain.tune(ContinuityRules(hasTone: true), at: $0.now) },
    ]
    for end in ends {
      var bench = Bench(1, hasTone: true)
      _ = bench.pass(1) { $0.isFaulty = true }
      #expect(bench.chain.hasTone)
      #expect(end(&bench).first == .tone(false, .silence))
      #expect(!bench.chain.hasTone)
    }
  }

  @Test("Without fallbacks, the tone follows the station, which the engine retries")
  func toneAlone() {
    var bench = Bench(0, hasTone: true)
    #expect(bench.pass(15.5) == [.tone(true, .silence)])
    #expect(bench.pass(300) == [])
    #expect(bench.pass(0.5) { $0.isFaulty = true } == [])
    #expect(bench.pass(0.5) { $0.isFaulty = true } == [.retry])
    #expect(bench.hear(0.5).contains(.tone(false, .silence)))
  }

  @Test("A return that stays silent is left after 15 s, whatever round was planned")
  func silentReturn() {
    var bench = Bench(1)
    #expect(bench.pass(15.5) == [.failOver(to: 1, .silence)])
    #expect(bench.hear(10.5) == [.receive(true)])
    // A planned round.
    #expect(bench.pass(0.5) { $0.isFaulty = true } == [])
    #expect(bench.pass(0.5) { $0.isSteady = true } == [.comeBack, .receive(false)])
    #expect(bench.pass(14.5) == [])
    #expect(bench.pass(0.5) == [.failOver(to: 1, .silence)])
  }

  @Test("Silence before the end of a file counts")
  func silentEnd() {
    var bench = Bench()
    _ = bench.pass(15.5)
    _ = bench.hear(1, isFile: true)
    #expect(bench.pass(8.5) == [.receive(true)])
    #expect(bench.pass(0.5) { $0.isOver = true } == [.playNext])
    #expect(bench.pass(6.5).contains(.failOver(to: 2, .silence)))
  }

  @Test("Silent rounds repeat after 10 s, later after up to 3 min")
  func rounds() {
    var bench = Bench(1)
    var starts: [Double] = []
    for _ in 0..<4_000 where bench.pass(0.5, { $0.isFaulty = true }).contains(.retry) {
      starts.append((bench.now - MonotonicTime(seconds: 1_000)).seconds)
    }
    #expect(zip(starts, starts.dropFirst()).map { $1 - $0 } == [20, 40, 80, 160] + Array(repeating: 180, count: 9))
    #expect(starts.first == 10.0)
  }

  @Test("The first choice returns after 10 s of steady audio")
  func wayBack() {
    var bench = Bench()
    _ = bench.pass(15)
    #expect(bench.hear(9.5) == [])
    #expect(bench.hear(0.5) == [.receive(true)])
    #expect(bench.hear(2) == [])
    #expect(bench.hear(10, isSteady: true) == [])
    #expect(bench.hear(0.5, isSteady: true) == [.comeBack, .receive(false)])
    #expect(bench.hear(0.5) == [.report(after: Duration(seconds: 23))])
    #expect(bench.hear(1_000) == [])
  }

  @Test("Attempts to receive the first choice follow after 10 s to 3 min")
  func attempts() {
    var bench = Bench()
    _ = bench.pass(15)
    let start = bench.now
    var starts: [Double] = []
    for _ in 0..<2_000 where bench.hear(0.5).contains(.receive(true)) { starts.append((bench.now - start).seconds) }
    #expect(Array(starts.prefix(8)) == [10, 20.5, 40.5, 80.5, 160.5, 320.5, 500.5, 680.5])
  }

  @Test("An interruption of the first choice starts its steady audio again")
  func unsteady() {
    var bench = Bench()
    _ = bench.pass(15)
    _ = bench.hear(10)
    #expect(bench.hear(9, isSteady: true) == [])
    #expect(bench.hear(0.5) == [.receive(false)])
    #expect(bench.hear(10) == [.receive(true)])
    #expect(bench.hear(10, isSteady: true) == [])
    #expect(bench.hear(0.5, isSteady: true).first == .comeBack)
  }

  @Test("A return that fails within 10 min doubles the wait, and an hour without failure resets it")
  func doubling() {
    var bench = Bench()
    /// Leaves the first choice; returns the seconds of steady audio before its return.
    func wait() -> Double {
      _ = bench.pass(15.5)
      _ = bench.hear(10)
      let start = bench.now
      while !bench.hear(0.5, isSteady: true).contains(.comeBack) {}
      return (bench.now - start).seconds - 0.5
    }
    #expect(wait() == 10)
    _ = bench.hear(500)
    #expect(wait() == 20)
    _ = bench.hear(3_300)
    #expect(wait() == 20)
    _ = bench.hear(3_600)
    #expect(wait() == 10)
  }

  @Test("A file finishes before the return, 10 min at most")
  func file() {
    for isEnding in [true, false] {
      var bench = Bench(1)
      _ = bench.pass(15)
      _ = bench.hear(10)
      #expect(bench.hear(300, isSteady: true, isFile: true) == [])
      if isEnding {
        #expect(bench.pass(0.5) { ($0.isOver, $0.isSteady) = (true, true) }.first == .comeBack)
      } else {
        #expect(bench.hear(309.5, isSteady: true, isFile: true) == [])
        #expect(bench.hear(1, isSteady: true, isFile: true).first == .comeBack)
      }
    }
  }

  @Test("The next file follows a file, and a file without audio is a failed source")
  func files() {
    var bench = Bench()
    _ = bench.pass(15)
    _ = bench.hear(5)
    #expect(bench.pass(0.5) { $0.isOver = true } == [.playNext])
    #expect(bench.pass(0.5) { $0.isOver = true } == [.failOver(to: 2, .silence)])
  }

  @Test("The start of the next file does not shorten the steady audio before the return")
  func betweenFiles() {
    var bench = Bench(1)
    _ = bench.pass(15)
    _ = bench.hear(10)
    _ = bench.hear(3, isSteady: true)
    #expect(bench.pass(0.5) { ($0.isOver, $0.isSteady) = (true, true) } == [.playNext])
    #expect(bench.pass(1.5) { $0.isSteady = true } == [])
    #expect(bench.hear(2, isSteady: true, isFile: true) == [])
    #expect(bench.pass(0.5) { ($0.isOver, $0.isSteady) = (true, true) } == [.playNext])
    #expect(bench.pass(2.5) { $0.isSteady = true }.first == .comeBack, "a next file that stays silent")
  }

  @Test("A first choice that failed just before the end of a file does not return")
  func endOfSteadyAudio() {
    var bench = Bench(1)
    _ = bench.pass(15)
    _ = bench.hear(10)
    _ = bench.hear(30, isSteady: true, isFile: true)
    #expect(bench.pass(0.5) { $0.isOver = true } == [.playNext])
  }

  @Test("A silent fallback is left for a first choice that is received")
  func rescue() {
    var bench = Bench(1)
    _ = bench.pass(15)
    #expect(bench.pass(10) == [.receive(true)])
    #expect(bench.pass(0.5) { $0.isSteady = true }.first == .comeBack)
  }
}
