import Blocks
import Listings
import Testing
import Units

@testable import Network
@testable import RadioEngine

/// Orders that an observer sends during an event.
@Suite struct ObserverOrderTests {
  private static let other = StationRequest(url: "http://h/other")
  private static let border = StreamTime(seconds: 60)

  /// A list of two files: the first is audible, the second follows in the ring.
  private static func list() throws -> RadioBench {
    let bench = try RadioBench.inList("a", "b")
    var facts = RadioBench.facts(isLive: false, seconds: 60)
    (facts.item, facts.url) = (0, "http://h/b")
    bench.net(.followed(facts, at: FilePlace(base: border, border: border), token: 1))
    bench.hold(0...100)
    return bench
  }

  @Test("A tune at a gapless border applies", arguments: ["fileComplete", "itemBegan", "stationInfo"])
  func tunesAtBorder(_ name: String) throws {
    let bench = try Self.list()
    bench.forget()
    var isDone = false
    bench.radio.addObserver { event, _ in
      guard event.name == name, !isDone else { return }
      isDone = true
      bench.radio.tune(Self.other)
    }
    bench.sound(at: 61)
    #expect(isDone && bench.radio.state == .connecting && bench.radio.item == nil)
    #expect(bench.told().last?.name == name)
  }

  @Test("A stop at a gapless border ends the list")
  func stopsAtBorder() throws {
    let bench = try Self.list()
    bench.radio.addObserver { event, _ in if event.name == "fileComplete" { bench.radio.stop() } }
    bench.sound(at: 61)
    #expect(bench.radio.state == .stopped && bench.told().last == .stopped(.user))
  }

  @Test("A tune at a file's end applies, and a stop ends a list", arguments: [true, false])
  func atEnd(tunes: Bool) throws {
    let bench = try RadioBench.inSituation(.file)
    bench.radio.addObserver { event, _ in
      guard event.name == "fileComplete" else { return }
      tunes ? bench.radio.tune(Self.other) : bench.radio.stop()
    }
    bench.engine.finishedEpoch = 1
    bench.step()
    #expect(bench.radio.state == (tunes ? .connecting : .stopped))
    #expect(bench.told().last == (tunes ? .fileComplete(heard: 5) : .stopped(.user)))
  }

  @Test("A tune after a failed station applies")
  func atFault() throws {
    let bench = try RadioBench.inSituation(.connecting)
    bench.radio.addObserver { event, _ in if event.name == "httpError" { bench.radio.tune(Self.other) } }
    let fault = PlaybackFault(.refused(hasCredentials: false), url: RadioBench.station, status: 404)
    bench.net(.fault(fault, isFinal: true))
    #expect(bench.radio.state == .connecting && bench.radio.failure == nil)
  }

  @Test("A closed radio starts nothing, and run returns")
  func closed() throws {
    let bench = try RadioBench.inSituation(.playing)
    bench.radio.addObserver { [radio = bench.radio] event, _ in
      if case .stopped = event { radio.tune(Self.other) }
    }
    _ = bench.radio.close()
    #expect(bench.radio.state == .stopped && !bench.radio.play() && !bench.radio.playItem(0))
    bench.radio.run()
  }

  @Test("A step inside a step traps")
  func nested() async {
    await #expect(processExitsWith: .failure) {
      let bench = try RadioBench.inSituation(.playing)
      bench.radio.addObserver { [radio = bench.radio] _, _ in radio.step(.zero) }
      bench.net(.title(text: "a", url: nil, at: .zero))
    }
  }
}
