import Testing

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
}
