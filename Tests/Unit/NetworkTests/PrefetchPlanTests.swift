import SeededRandom
import Testing
import Units

@testable import Network

/// The decisions about stations that are received in advance, with a simulated clock.
struct PrefetchPlanTests {
  private static func station(_ number: Int) -> StationRequest { StationRequest(url: "http://station/\(number)") }

  private static func time(_ seconds: Double) -> MonotonicTime { MonotonicTime(seconds: 1_000 + seconds) }

  private static func plan(_ numbers: [Int], maxBytes: Int? = nil) -> PrefetchPlan {
    var plan = PrefetchPlan()
    plan.use(PrefetchRule(numbers.map(station), maxBytesPerHour: maxBytes))
    return plan
  }

  @Test("Neighbours are requested one after the other, once the listener stays at a station")
  func settling() {
    var plan = Self.plan([1, 2])
    let current = Self.station(0)
    #expect(plan.next(after: [current], at: Self.time(9)) == nil, "nothing plays")
    plan.recordChange(to: current, at: Self.time(0))
    plan.recordStart(at: Self.time(0))
    #expect(plan.next(after: [current], at: Self.time(1.4)) == nil)
    #expect(plan.due(at: Self.time(0)) == Self.time(1.5))
    #expect(plan.next(after: [current], at: Self.time(1.5)) == Self.station(1))
    plan.recordStart(at: Self.time(1.5))
    #expect(plan.next(after: [current, Self.station(1)], at: Self.time(1.5)) == Self.station(2))
    plan.recordStart(at: Self.time(1.5))
    // At most two connections start in a second.
    #expect(plan.nextStart == Self.time(2.5))
    #expect(plan.next(after: [current, Self.station(1)], at: Self.time(2.4)) == nil)
    #expect(plan.next(after: [current, Self.station(1), Self.station(2)], at: Self.time(9)) == nil)
  }

  @Test("Ten minutes after the last change, at the limit, and after a stop, nothing is received in advance")
  func ends() {
    var plan = Self.plan([1], maxBytes: 1_000)
    plan.recordChange(to: Self.station(0), at: Self.time(0))
    #expect(plan.keeps(Self.station(1), at: Self.time(599.9)) && !plan.keeps(Self.station(1), at: Self.time(600)))
    #expect(!plan.keeps(Self.station(7), at: Self.time(1)))
    plan.recordBytes(999, at: Self.time(1))
    #expect(plan.keeps(Self.station(1), at: Self.time(2)))
    plan.recordBytes(1, at: Self.time(2))
    #expect(!plan.keeps(Self.station(1), at: Self.time(3)) && plan.next(after: [], at: Self.time(3)) == nil)
    // An hour later, the limit counts again.
    plan.recordChange(to: Self.station(2), at: Self.time(3_601))
    #expect(plan.keeps(Self.station(1), at: Self.time(3_602)))
    plan.recordStop()
    #expect(!plan.keeps(Self.station(1), at: Self.time(3_602)))
    // A retry does not count as a change.
    plan.recordChange(to: Self.station(2), at: Self.time(4_150))
    #expect(plan.keeps(Self.station(1), at: Self.time(4_200)) && !plan.keeps(Self.station(1), at: Self.time(4_201)))
    #expect(!Self.plan([]).isActive)
  }

  @Test("The first choice is received without limits, also after a stop, and once for each rule")
  func firstChoice() {
    var plan = Self.plan([1], maxBytes: 1)
    plan.recordChange(to: Self.station(0), at: Self.time(0))
    plan.recordBytes(5, at: Self.time(0))
    plan.use(PrefetchRule(firstChoice: Self.station(7)))
    #expect(plan.isActive && plan.next(after: [Self.station(0)], at: Self.time(0.5)) == Self.station(7))
    #expect(plan.next(after: [Self.station(7)], at: Self.time(9)) == nil)
    plan.recordStop()
    #expect(plan.keeps(Self.station(7), at: Self.time(5_000)))
    plan.recordRefusal(of: Self.station(7), at: Self.time(5_001))
    #expect(!plan.keeps(Self.station(7), at: Self.time(9_000)) && plan.next(after: [], at: Self.time(9_000)) == nil)
    plan.use(PrefetchRule())
    plan.use(PrefetchRule(firstChoice: Self.station(7)))
    #expect(plan.next(after: [], at: Self.time(9_001)) == Self.station(7))
  }

  @Test("The station before the current one is received for a minute, and a refused one is not asked for ten minutes")
  func leaving() {
    var plan = Self.plan([1])
    plan.recordChange(to: Self.station(5), at: Self.time(0))
    plan.recordLeaving(Self.station(4), at: Self.time(0))
    #expect(plan.keeps(Self.station(4), at: Self.time(59.9)) && !plan.keeps(Self.station(4), at: Self.time(60)))
    plan.recordChange(to: Self.station(4), at: Self.time(10))
    #expect(!plan.keeps(Self.station(4), at: Self.time(11)), "the station is the current one again")
    plan.recordRefusal(of: Self.station(1), at: Self.time(20))
    plan.recordChange(to: Self.station(6), at: Self.time(500))
    #expect(plan.next(after: [], at: Self.time(619)) == nil && !plan.keeps(Self.station(1), at: Self.time(619)))
    #expect(plan.next(after: [], at: Self.time(620)) == Self.station(1))
    plan.recordRefusal(of: Self.station(1), at: Self.time(630))
    #expect(plan.next(after: [], at: Self.time(631)) == nil)
    plan.forgetRefusals()
    #expect(plan.next(after: [], at: Self.time(631)) == Self.station(1), "the network is back")
  }

  @Test("The limit counts again in each hour")
  func hours() {
    var plan = Self.plan([1], maxBytes: 1_000)
    plan.recordChange(to: Self.station(0), at: Self.time(3_000))
    plan.recordBytes(999, at: Self.time(3_000))
    #expect(plan.keeps(Self.station(1), at: Self.time(3_001)))
    plan.recordBytes(1, at: Self.time(3_001))
    #expect(!plan.keeps(Self.station(1), at: Self.time(3_002)))
  }

  @Test("The plan is asked again at each limit, and not without a programme")
  func due() {
    var plan = Self.plan([1])
    #expect(plan.due(at: Self.time(0)) == .never)
    plan.recordChange(to: Self.station(0), at: Self.time(0))
    #expect(plan.due(at: Self.time(5)) == Self.time(600))
    plan.recordStart(at: Self.time(10))
    plan.recordStart(at: Self.time(10.2))
    #expect(plan.due(at: Self.time(10.5)) == Self.time(11))
    plan.recordLeaving(Self.station(4), at: Self.time(20))
    plan.recordLeaving(Self.station(4), at: Self.time(50))
    #expect(plan.due(at: Self.time(51)) == Self.time(110), "the station was left again")
    #expect(plan.due(at: Self.time(700)) == Self.time(2_600), "the hour of the limit ends")
    plan.recordStop()
    #expect(plan.due(at: Self.time(51)) == .never)
    plan.recordChange(to: Self.station(5), at: Self.time(52))
    #expect(!plan.keeps(Self.station(4), at: Self.time(53)), "a stop ends the station before, too")
  }

  @Test("Refusals of one station do not crowd out others")
  func refusals() {
    var plan = Self.plan([1])
    plan.recordChange(to: Self.station(0), at: Self.time(0))
    plan.recordRefusal(of: Self.station(1), at: Self.time(1))
    for _ in 0..<70 { plan.recordRefusal(of: Self.station(2), at: Self.time(2)) }
    #expect(plan.next(after: [], at: Self.time(10)) == nil)
  }

  @Test("100,000 random orders: never more than two connections a second, none beyond the limits, none without a need")
  func orders() {
    var random = SeededGenerator(50)
    var plan = PrefetchPlan()
    var (now, starts, received): (Double, [Double], Set<Int>) = (0, [], [])
    var (current, lastChange, wanted): (Int?, Double, [Int]) = (nil, 0, [])
    var chosen: Int?
    for _ in 0..<100_000 {
      now += Double(Int.random(in: 0..<2_000, using: &random)) / 1_000
      let moment = Self.time(now)
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        let next = Int.random(in: 0..<10, using: &random)
        received.remove(next)
        if let current, current != next {
          plan.recordLeaving(Self.station(current), at: moment)
          received.insert(current)
        }
        if next != chosen { lastChange = now }
        (current, chosen) = (next, next)
        plan.recordChange(to: Self.station(next), at: moment)
        wanted = [(next + 1) % 10, (next + 9) % 10]
        plan.use(PrefetchRule(wanted.map(Self.station), maxBytesPerHour: 1_000_000))
      case 1 where Int.random(in: 0..<50, using: &random) == 0:
        plan.recordStop()
        (current, received) = (nil, [])
      case 2: plan.recordBytes(Int.random(in: 0..<1_000, using: &random), at: moment)
      case 3: now += Int.random(in: 0..<20, using: &random) == 0 ? 700 : 0
      default: break
      }
      let known = (received.sorted() + [current].compactMap { $0 }).map(Self.station)
      if let next = plan.next(after: known, at: Self.time(now)) {
        let number = (0..<10).first { Self.station($0) == next } ?? -1
        #expect(current != nil && wanted.contains(number) && !received.contains(number) && number != current)
        #expect(now - lastChange >= 1.5 && now - lastChange < 600)
        starts.append(now)
        received.insert(number)
        plan.recordStart(at: Self.time(now))
      }
      received = received.filter { plan.keeps(Self.station($0), at: Self.time(now)) }
      #expect(received.isEmpty || now - lastChange < 600)
      if plan.isActive, let current { #expect(plan.due(at: Self.time(now)) > Self.time(now), "\(current)") }
    }
    #expect(zip(starts, starts.dropFirst(2)).allSatisfy { $1 - $0 > 0.999 } && starts.count > 100, "\(starts.count)")
  }
}
