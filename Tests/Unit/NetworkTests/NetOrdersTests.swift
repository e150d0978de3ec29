import Testing
import Units

@testable import Network

/// Orders that arrive faster than the net thread accepts them.
@Suite struct NetOrdersTests {
  @Test(
    "Many orders merge to the last ones' meaning",
    arguments: [
      // t: programme, z: rest, r: resume, s: stop; then the remaining programme and act.
      ("t", "t-"), ("tz", "tz"), ("tr", "tr"), ("tzr", "tr"), ("trz", "tz"), ("zt", "t-"), ("tzt", "t-"), ("ts", "-s"),
      ("st", "t-"), ("stz", "tz"), ("sz", "-s"), ("sr", "-s"), ("zs", "-s"), ("z", "-z"), ("zr", "-r"), ("", "--"),
    ])
  func fold(_ orders: String, _ left: String) {
    var folded = NetOrders()
    for order in orders {
      switch order {
      case "t": folded.tune(StationRequest(url: "http://radio.example"), epoch: 7)
      case "z": folded.post(.rest)
      case "r": folded.post(.resume)
      default: folded.post(.stop)
      }
    }
    let act =
      switch folded.act {
      case .rest: "z"
      case .resume: "r"
      case .stop: "s"
      case nil: "-"
      }
    #expect((folded.tune?.epoch == 7 ? "t" : "-") + act == left)
  }

  private static func seek(to seconds: Double, epoch: UInt32) -> FileSeek {
    var request = StationRequest(url: "http://radio.example/file")
    request.start = StreamTime(seconds: seconds)
    return FileSeek(request: request, number: 0, epoch: epoch)
  }

  @Test("A seek goes to the running programme, and a new one starts there")
  func seeks() {
    var running = NetOrders()
    running.seek(Self.seek(to: 5, epoch: 8))
    running.seek(Self.seek(to: 6, epoch: 9))
    #expect(running.seek?.request.start == StreamTime(seconds: 6) && running.seek?.epoch == 9)
    running.tune(StationRequest(url: "http://radio.example"), epoch: 10)
    #expect(running.seek == nil)
    running.seek(Self.seek(to: 7, epoch: 11))
    #expect(running.tune?.request.start == StreamTime(seconds: 7) && running.tune?.epoch == 11)
    running.post(.stop)
    running.seek(Self.seek(to: 8, epoch: 12))
    #expect(running.tune == nil && running.seek == nil)
  }

  @Test("A stop drops all orders for the programme, and later ones are ignored")
  func stops() {
    let follow = Follow(request: StationRequest(url: "http://radio.example/next"), token: 3)
    var folded = NetOrders()
    folded.seek(Self.seek(to: 5, epoch: 8))
    folded.follow(follow)
    folded.nowPlaying(true)
    folded.renew()
    #expect(folded.seek != nil && folded.follow == follow && folded.nowPlaying == true && folded.renews)
    for _ in 0..<2 {
      folded.post(.stop)
      #expect(folded.seek == nil && folded.follow == nil && folded.nowPlaying == nil && !folded.renews)
      #expect(folded.act == .stop)
      folded.seek(Self.seek(to: 6, epoch: 9))
      folded.follow(follow)
      folded.nowPlaying(true)
      folded.renew()
    }
  }

  @Test("The last order for external titles wins, for its programme")
  func nowPlaying() {
    var folded = NetOrders()
    folded.nowPlaying(true)
    folded.nowPlaying(false)
    #expect(folded.nowPlaying == false)
    folded.tune(StationRequest(url: "http://radio.example"), epoch: 1)
    #expect(folded.nowPlaying == nil)
    folded.nowPlaying(true)
    #expect(folded.nowPlaying == true)
    folded.post(.stop)
    folded.nowPlaying(true)
    #expect(folded.nowPlaying == nil)
  }

  @Test("Changes of a request add up, for their programme")
  func changes() {
    let (timeout, agent) = (Duration(seconds: 3), "Agent/1")
    var folded = NetOrders()
    folded.adjust(RequestChange(dataTimeout: Duration(seconds: 2), userAgent: agent))
    folded.adjust(RequestChange(dataTimeout: timeout))
    #expect(folded.change == RequestChange(dataTimeout: timeout, userAgent: agent))
    folded.adjust(RequestChange(userAgent: "Agent/2"))
    #expect(folded.change == RequestChange(dataTimeout: timeout, userAgent: "Agent/2"))
    var request = StationRequest(url: "http://radio.example")
    if let change = folded.change { request.apply(change) }
    #expect(request.dataTimeout == timeout && request.userAgent == "Agent/2")
    folded.tune(StationRequest(url: "http://radio.example"), epoch: 1)
    #expect(folded.change == nil)
    folded.adjust(RequestChange(dataTimeout: timeout))
    folded.post(.stop)
    #expect(folded.change == nil)
    folded.adjust(RequestChange(dataTimeout: timeout))
    #expect(folded.change == nil)
  }

  @Test("A download's lead applies to all following programmes")
  func holds() {
    var hold = HoldRule()
    var folded = NetOrders()
    #expect(folded.hold == nil)
    folded.use(hold)
    hold.waitFile = StreamTime(seconds: 7)
    folded.use(hold)
    folded.tune(StationRequest(url: "http://radio.example"), epoch: 1)
    folded.post(.stop)
    #expect(folded.hold == hold)
  }

  @Test("A follower belongs to its programme; the last one wins")
  func follows() {
    var folded = NetOrders()
    folded.follow(Follow(request: StationRequest(url: "http://radio.example/2"), token: 1))
    folded.follow(Follow(request: nil, token: 2))
    #expect(folded.follow?.token == 2 && folded.follow?.request == nil)
    folded.seek(Self.seek(to: 5, epoch: 8))
    #expect(folded.follow == nil)
    folded.follow(Follow(request: nil, token: 3))
    #expect(folded.follow?.token == 3)
    folded.tune(StationRequest(url: "http://radio.example"), epoch: 9)
    #expect(folded.follow == nil)
    folded.post(.stop)
    folded.follow(Follow(request: nil, token: 4))
    #expect(folded.follow == nil)
  }

  @Test("After a sleep a running programme reconnects, a new one starts, a stopped one stays stopped")
  func renews() {
    var running = NetOrders()
    running.renew()
    #expect(running.renews)
    running.post(.rest)
    #expect(running.renews && running.act == .rest)
    running.tune(StationRequest(url: "http://radio.example"), epoch: 7)
    running.renew()
    #expect(!running.renews)
    var stopped = NetOrders()
    stopped.renew()
    stopped.post(.stop)
    #expect(!stopped.renews)
    stopped.renew()
    #expect(!stopped.renews)
  }

  @Test("Commands of a waiting programme precede later ones; a new programme or a stop drops them (B5)")
  func restore() {
    var earlier = NetOrders()
    earlier.tune(StationRequest(url: "http://a/"), epoch: 1)
    earlier.nowPlaying(true)
    earlier.post(.rest)
    var later = NetOrders()
    later.restore(earlier)
    #expect(later.tune == nil && later.nowPlaying == true && later.act == .rest)
    later = NetOrders()
    later.post(.resume)
    later.restore(earlier)
    #expect(later.act == .resume && later.nowPlaying == true)
    later = NetOrders()
    later.post(.stop)
    later.restore(earlier)
    #expect(later.nowPlaying == nil && later.act == .stop)
  }

  @Test("Each command of a waiting programme is restored, unless a later one replaces it (B5)")
  func restoresAll() {
    let station = StationRequest(url: "http://a/")
    let seek = FileSeek(request: station, number: 1, epoch: 2)
    var earlier = NetOrders()
    earlier.seek(seek)
    earlier.follow(Follow(request: station, token: 3))
    earlier.adjust(RequestChange(dataTimeout: nil, userAgent: "One"))
    earlier.renew()
    var later = NetOrders()
    later.restore(earlier)
    #expect(later.seek == seek && later.follow?.token == 3 && later.change?.userAgent == "One" && later.renews)
    later = NetOrders()
    later.follow(Follow(request: nil, token: 4))
    later.adjust(RequestChange(dataTimeout: Duration(seconds: 5), userAgent: nil))
    later.restore(earlier)
    #expect(later.follow?.token == 4 && later.change?.userAgent == "One")
    #expect(later.change?.dataTimeout == Duration(seconds: 5))
  }

  @Test("The stations in advance are set also while a programme stops")
  func prefetch() {
    var orders = NetOrders()
    orders.prefetch(PrefetchRule([StationRequest(url: "http://a/")]))
    orders.use(SecondSourceRule(.always))
    orders.post(.stop)
    #expect(orders.prefetch?.requests.count == 1 && orders.second?.use == .always)
  }
}
