import Testing
import Units

@testable import Network

/// Orders that come faster than the net thread takes them.
@Suite struct NetOrdersTests {
  @Test(
    "many orders come to what the last ones mean",
    arguments: [
      // t a programme, z rest, r resume, s stop; the programme and the act that are left.
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

  @Test("a seek goes to the programme that runs, and a programme that is to begin begins there")
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

  @Test("a stop leaves nothing that was said of the programme, and nothing is said of it any more")
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

  @Test("titles beside the stream are asked for as was said last, of the programme that it was said of")
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

  @Test("changes of a request add up, and belong to the programme that they were said of")
  func changes() {
    let (timeout, agent) = (Duration(seconds: 3), "Agent/1")
    var folded = NetOrders()
    folded.adjust(RequestChange(dataTimeout: Duration(seconds: 2), userAgent: agent))
    folded.adjust(RequestChange(dataTimeout: timeout))
    #expect(folded.change == RequestChange(dataTimeout: timeout, userAgent: agent))
    folded.adjust(RequestChange(userAgent: "Agent/2"))
    #expect(folded.change == RequestChange(dataTimeout: timeout, userAgent: "Agent/2"))
    var request = StationRequest(url: "http://radio.example")
    folded.change?.apply(to: &request)
    #expect(request.dataTimeout == timeout && request.userAgent == "Agent/2")
    folded.tune(StationRequest(url: "http://radio.example"), epoch: 1)
    #expect(folded.change == nil)
    folded.adjust(RequestChange(dataTimeout: timeout))
    folded.post(.stop)
    #expect(folded.change == nil)
    folded.adjust(RequestChange(dataTimeout: timeout))
    #expect(folded.change == nil)
  }

  @Test("how far a download may run ahead holds for every programme that follows")
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

  @Test("what is to follow belongs to the programme that it was said of; the last word counts")
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

  @Test("after a sleep what runs is made anew; what is to begin is new anyway, and what was stopped stays so")
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
}
