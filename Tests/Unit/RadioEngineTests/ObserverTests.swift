import Network
import Testing
import Units

@testable import RadioEngine

@Suite struct ObserverTests {
  private final class Log {
    var lines: [String] = []

    func hear(_ who: String) -> (Event, Double) -> Void { { event, _ in self.lines.append("\(who) \(event.name)") } }
  }

  private static func bench() throws -> (radio: Radio, log: Log) {
    let (radio, log) = (Radio(RadioSettings(), try FakeEngine()), Log())
    radio.onEvent = log.hear("first")
    return (radio, log)
  }

  @Test("Observers receive each event in the order of adding, after onEvent")
  func order() throws {
    let (radio, log) = try Self.bench()
    radio.addObserver(log.hear("a"))
    radio.addObserver(log.hear("b"))
    radio.suspend()
    #expect(
      log.lines == [
        "first willSuspend", "a willSuspend", "b willSuspend", "first suspended", "a suspended", "b suspended",
      ])
  }

  @Test("All observers receive an event with the same time")
  func time() throws {
    let engine = try FakeEngine()
    let radio = Radio(RadioSettings(), engine)
    var times: [Double] = []
    radio.onEvent = { times.append($1) }
    radio.addObserver { _, time in
      times.append(time)
      engine.now = engine.now + Duration(seconds: 1)
    }
    radio.addObserver { times.append($1) }
    engine.now = engine.now + Duration(seconds: 2)
    radio.tune(StationRequest(url: RadioBench.station))
    radio.pause()
    #expect(times == [2, 2, 2])
  }

  @Test("A removed observer receives nothing; a second removal has no effect")
  func removed() throws {
    let (radio, log) = try Self.bench()
    let a = radio.addObserver(log.hear("a"))
    radio.addObserver(log.hear("b"))
    radio.removeObserver(a)
    radio.removeObserver(a)
    radio.suspend()
    #expect(log.lines == ["first willSuspend", "b willSuspend", "first suspended", "b suspended"])
    #expect(radio.addObserver(log.hear("c")) != a)
  }

  @Test("An observer may remove itself and the next one inside an event")
  func removesItself() throws {
    let (radio, log) = try Self.bench()
    var own: EventObserver?
    var next: EventObserver?
    own = radio.addObserver { event, _ in
      log.lines.append("a \(event.name)")
      for id in [own, next].compactMap({ $0 }) { radio.removeObserver(id) }
    }
    next = radio.addObserver(log.hear("b"))
    radio.addObserver(log.hear("c"))
    radio.suspend()
    #expect(log.lines == ["first willSuspend", "a willSuspend", "c willSuspend", "first suspended", "c suspended"])
  }

  @Test("An observer added inside an event receives the next one")
  func addedMeanwhile() throws {
    let (radio, log) = try Self.bench()
    var isAdded = false
    radio.onEvent = { event, _ in
      log.lines.append("first \(event.name)")
      if !isAdded { radio.addObserver(log.hear("new")) }
      isAdded = true
    }
    radio.addObserver(log.hear("a"))
    radio.suspend()
    #expect(log.lines == ["first willSuspend", "a willSuspend", "first suspended", "a suspended", "new suspended"])
  }

  @Test("Events caused by an observer follow the current one for all")
  func nested() throws {
    let (radio, log) = try Self.bench()
    radio.tune(StationRequest(url: RadioBench.station))
    radio.addObserver { event, _ in
      log.lines.append("a \(event.name)")
      if case .paused = event { radio.stop() }
    }
    radio.addObserver(log.hear("b"))
    radio.pause()
    #expect(log.lines == ["first paused", "a paused", "first stopped", "b paused", "a stopped", "b stopped"])
    #expect(radio.state == .stopped)
  }

  @Test("Events caused by onEvent follow their cause for the others too")
  func nestedFirst() throws {
    let (radio, log) = try Self.bench()
    radio.tune(StationRequest(url: RadioBench.station))
    radio.onEvent = { event, _ in
      log.lines.append("first \(event.name)")
      if case .paused = event { radio.stop() }
    }
    radio.addObserver(log.hear("a"))
    radio.pause()
    #expect(log.lines == ["first paused", "first stopped", "a paused", "a stopped"])
  }
}
