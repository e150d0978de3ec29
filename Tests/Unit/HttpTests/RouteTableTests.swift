import Http
import Testing

@Suite struct RouteTableTests {
  static let routes: [(String, String, Bool)] = [
    ("", "", false),
    ("eth0\t00000000\t0100A8C0\t0003\t0\t0\t0\t00000000\t0\t0\t0", "", true),
    ("ppp0\t00000000\t00000000\t0001\t0\t0\t0\t00000000\t0\t0\t0", "", true),
    ("eth0\t00000000\t0100A8C0\t0002\t0\t0\t0\t00000000\t0\t0\t0", "", false),
    ("eth0\t0000A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0", "", false),
    ("eth0\tgarbage", "garbage", false),
    ("", "\(zeros) 00 \(zeros) 00 fe8000 00000400 00000001 00000000 00450003 wlan0", true),
    ("", "\(zeros) 00 \(zeros) 00 \(zeros) ffffffff 00000001 00000000 00200200 lo", false),
    ("", "\(zeros) 40 \(zeros) 00 \(zeros) 00000100 00000001 00000000 00000001 eth0", false),
  ]
  private static let zeros = String(repeating: "0", count: 32)

  @Test("A default route has zero bits, is up, and rejects nothing", arguments: routes)
  func route(_ route4: String, _ route6: String, _ isThere: Bool) {
    let head = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n"
    #expect(RouteTable.hasDefault(head + route4, route6) == isThere)
  }
}
