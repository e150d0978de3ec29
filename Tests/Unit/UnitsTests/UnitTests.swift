import Testing
import Units

struct UnitTests {
  @Test(
    "A bit rate is bytes over time",
    arguments: [
      (16_000, 1.0, 128_000), (417, 0.026_122_448_979_591_835, 127_706), (0, 1.0, 0), (1, 8.0, 1),
    ])
  func bitRate(_ bytes: Int, _ seconds: Double, _ expected: Int) throws {
    let rate = try #require(BitRate(ByteCount(bytes), over: StreamTime(seconds: seconds)))
    #expect(rate.bitsPerSecond == expected)
  }

  @Test func bitRateNeedsTimeAndBytes() {
    #expect(BitRate(ByteCount(1), over: .zero) == nil)
    #expect(BitRate(ByteCount(1), over: StreamTime(ticks: -1)) == nil)
    #expect(BitRate(ByteCount(-1), over: StreamTime(ticks: 1)) == nil)
  }

  @Test func bitRateBeyondAllReasonIsClamped() {
    #expect(BitRate(ByteCount(.max), over: StreamTime(ticks: 1))?.bitsPerSecond == .max)
  }

  @Test(
    "A bit rate is formatted for people",
    arguments: [(128_000, "128 kbit/s"), (64_499, "64 kbit/s"), (500, "1 kbit/s")])
  func bitRateText(_ bits: Int, _ text: String) {
    #expect(BitRate(bitsPerSecond: bits).description == text)
  }

  @Test(
    "poll(2) never wakes too early",
    arguments: [
      (0, 0), (1, 1), (999_999, 1), (1_000_000, 1), (1_000_001, 2), (-1, 0), (.min, 0), (.max, .max),
    ] as [(Int64, Int32)])
  func millisecondsAreRoundedUp(_ nanoseconds: Int64, _ milliseconds: Int32) {
    #expect(Duration(nanoseconds: nanoseconds).milliseconds == milliseconds)
  }

  @Test func neverStaysNever() {
    #expect(MonotonicTime.never + Duration(nanoseconds: 1) == .never)
    #expect(MonotonicTime.zero + .forever == .never)
    #expect(Duration.forever + Duration(nanoseconds: 1) == .forever)
  }

  @Test("A time plus a duration is a time, and two times differ by a duration")
  func momentsAndLengths() {
    let (moment, length) = (MonotonicTime(milliseconds: 2), Duration(milliseconds: 3))
    #expect(moment + length == MonotonicTime(milliseconds: 5))
    #expect(moment - length == MonotonicTime(milliseconds: -1))
    #expect(moment - MonotonicTime(milliseconds: 3) == Duration(milliseconds: -1))
    #expect(length + length == Duration(milliseconds: 6))
    #expect(length - Duration(milliseconds: 5) == Duration(milliseconds: -2))
    #expect(length < Duration(milliseconds: 4) && moment < MonotonicTime(milliseconds: 3))
  }

  @Test(
    "Seconds of the clock are rounded and clamped",
    arguments: [
      (0.0, 0), (1.5, 1_500_000_000), (.nan, 0), (.infinity, 1 << 62), (-1e300, -(1 << 62)),
    ] as [(Double, Int64)])
  func clockSeconds(_ seconds: Double, _ nanoseconds: Int64) {
    #expect(Duration(seconds: seconds).nanoseconds == nanoseconds)
    #expect(MonotonicTime(seconds: seconds).nanoseconds == nanoseconds)
  }

  @Test(
    "A rate from outside is checked",
    arguments: [(0, false), (-1, false), (1, true), (768_000, true), (768_001, false), (.max, false)])
  func rates(_ hertz: Int, _ isRate: Bool) {
    #expect((SampleRate(checking: hertz) != nil) == isRate)
  }

  @Test func countsAreCompared() {
    #expect(ByteCount.kibi(2) == ByteCount(2_048))
    #expect(ByteCount(1) < ByteCount(2))
    #expect(FrameCount(3) - FrameCount(1) == FrameCount(1) + FrameCount(1))
  }
}

@Suite struct ListenAddressTests {
  @Test(
    "A listen address has a numeric host and a port",
    arguments: [
      ("127.0.0.1:6600", "127.0.0.1", true), ("127.1.2.3:1", "127.1.2.3", true), ("localhost:6600", "localhost", true),
      ("[::1]:6600", "::1", true), ("0.0.0.0:6600", "0.0.0.0", false), ("[::]:65535", "::", false),
      ("192.168.1.9:6600", "192.168.1.9", false), ("127.0.0.1", nil, false), ("127.0.0.1:0", "127.0.0.1", true),
      ("127.0.0.1:65536", nil, false), ("127.0.0.1:+1", nil, false), (":6600", nil, false),
      ("127.0.0.256:1", nil, false),
      ("127.evil.example:1", nil, false), ("::1:6600", nil, false), ("radio:6600", nil, false), ("[x]:1", nil, false),
    ] as [(String, String?, Bool)])
  func listen(_ text: String, _ host: String?, _ isLoopback: Bool) {
    let address = ListenAddress(text)
    #expect(address?.host == host)
    if let address {
      #expect(address.isLoopback == isLoopback)
      #expect(address.description == text)
    }
  }
}

struct StreamTimeTests {
  static let usualRates: [Int32] = [
    8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000, 176_400, 192_000,
  ]

  @Test("Frames and ticks have equal lengths at every usual rate", arguments: usualRates)
  func framesAreExact(_ hertz: Int32) {
    let rate = SampleRate(hertz)
    #expect(StreamTime.ticksPerSecond % Int64(hertz) == 0)
    for frames in [0, 1, 576, 1_024, 1_152, 2_048, Int(hertz), Int(hertz) * 86_400 * 365 + 1] {
      let time = StreamTime(frames: FrameCount(frames), at: rate)
      #expect(time.frames(at: rate) == FrameCount(frames))
      #expect(StreamTime(ticks: time.ticks - 1).frames(at: rate) == FrameCount(max(0, frames - 1)))
    }
  }

  @Test("A day of packets adds up to a day", arguments: usualRates)
  func sumsAreExact(_ hertz: Int32) {
    let rate = SampleRate(hertz)
    let packet = StreamTime(frames: FrameCount(1_152), at: rate)
    var sum = StreamTime.zero
    for _ in 0..<Int(hertz) { sum += packet }
    #expect(sum.seconds == 1_152)
  }

  @Test func timeSurvivesAChangeOfRate() {
    let half = StreamTime(frames: FrameCount(22_050), at: .cd)
    let whole = half + StreamTime(frames: FrameCount(24_000), at: SampleRate(48_000))
    #expect(whole == StreamTime(seconds: 1))
    #expect(whole.frames(at: SampleRate(8_000)) == FrameCount(8_000))
  }

  @Test(
    "Seconds are rounded to the tick and clamped to the time line",
    arguments: [
      (0.0, 0), (1.0, 705_600_000), (-2.5, -1_764_000_000), (1e-9, 1), (.nan, 0),
      (.infinity, 1 << 62), (-.infinity, -(1 << 62)), (1e300, 1 << 62),
    ] as [(Double, Int64)])
  func secondsAreClamped(_ seconds: Double, _ ticks: Int64) {
    #expect(StreamTime(seconds: seconds).ticks == ticks)
  }

  @Test func negativeTimeHoldsNoFrames() {
    #expect(StreamTime(ticks: -1).frames(at: .cd) == .zero)
    #expect(StreamTime(ticks: .min).frames(at: .cd) == .zero)
  }

  @Test func sumsFromTheNetworkWrapInsteadOfTrapping() {
    #expect(StreamTime(ticks: .max) + StreamTime(ticks: 1) == StreamTime(ticks: .min))
    #expect(StreamTime(ticks: .min) - StreamTime(ticks: 1) == StreamTime(ticks: .max))
  }

  @Test(
    "Frames from outside beyond countable time are refused",
    arguments: [
      (0, 1, true), (-1, 44_100, false), (.max, 768_000, false), (.min, 1, false), (6_535_836_192, 1, true),
      (6_535_836_193, 1, false), (1 << 48, 44_100, true), (1 << 49, 44_100, false),
    ])
  func checkedFrames(_ frames: Int, _ hertz: Int32, _ isTime: Bool) {
    let time = StreamTime(checking: frames, at: SampleRate(hertz))
    #expect(time == (isTime ? StreamTime(frames: FrameCount(frames), at: SampleRate(hertz)) : nil))
    #expect((time ?? .zero).ticks < 1 << 62 && (time ?? .zero) >= .zero)
  }
}

@Suite("Station address") struct StationAddressTests {
  @Test(
    "An address shows no user, password, fragment, or query with a secret",
    arguments: [
      ("http://anna:geheim@radio.example:8000/live.mp3?%74oken=a&sid=b#c", "http://radio.example:8000/live.mp3"),
      ("anna:geheim@radio.example/live?jwt=a", "radio.example/live"),
      ("https://[::1]:8000/?a", "https://[::1]:8000/?a"),
      ("icy://anna@radio.example", "icy://radio.example"), ("//anna:a@b/c#d", "//b/c"), ("/live?pin=1", "/live"),
      ("http://a:b@c:d@radio.example/x", "http://radio.example/x"), ("http://a/b?m=c:d@e", "http://a/b"),
      ("file:///music/a%3F.mp3", "file:///music/a%3F.mp3"),
      ("  HTTP://anna:geheim@Radio.example/\u{1B}[2J\u{202E}x \n", "HTTP://Radio.example/[2Jx"),
      ("http://a/b\u{2028}c\u{FEFF}d", "http://a/bcd"),
      ("ftp://anna:secret@\u{301}a/", "ftp://\u{301}a/"),
      ("http://b\u{FC}cher.example/\u{301}?key=a", "http://b\u{FC}cher.example/\u{301}"),
      ("http://a/b?id=7&type=.mp3#name", "http://a/b?id=7&type=.mp3"),
    ])
  func shown(_ text: String, _ shown: String) {
    let address = StationAddress(text)
    var dumped = ""
    dump(address, to: &dumped)
    for text in ["\(address)", String(describing: address), String(reflecting: address)] { #expect(text == shown) }
    #expect(!dumped.contains("geheim") && !dumped.contains("anna"))
    #expect(address.unredacted == text)
  }

  @Test(
    "An ambiguous address shows only its scheme",
    arguments: [
      ("http://anna:ge/heim@radio.example/", "http://…"), ("http://anna:ge?heim@radio.example/", "http://…"),
      ("http://anna:ge#heim@radio.example/", "http://…"), ("http://anna:secret@", "http://…"), (":secret@", "…"),
      ("http://anna:geheim@ra dio.example/", "http://…"),
      ("http://anna%3Ageheim%40radio.example/", "http://…"), ("file://anna:geheim@/x", "file://…"), ("", "…"),
      ("http:anna:geheim", "http://…"), ("http://\\anna:geheim@a\\/", "http://…"), ("file:a@b:c", "file://…"),
      ("http//anna:geheim@radio.example/live", "…"), ("a_b://anna:geheim@radio.example/live", "…"),
      ("http/anna:geheim@radio.example/live", "…"), ("htp:/anna:geheim@radio.example/live", "…"),
      ("http//anna:ge/heim@radio.example/live", "…"), ("htp:/anna:ge/heim@radio.example/live", "…"),
      ("http://http//anna:geheim@radio.example/", "http://…"), ("http://http:/anna:geheim@radio.example/", "http://…"),
      ("http:////anna:geheim@radio.example/", "http://…"), ("////anna:geheim@radio.example/", "…"),
      ("/anna:geheim@radio.example/live", "…"), ("/x//anna:geheim@radio.example", "…"),
      ("http//anna:ge?heim@radio.example/live", "…"), ("http//anna:ge#heim@radio.example/live", "…"),
      ("htp:/anna:ge#heim@radio.example", "…"), ("http/anna:ge?heim@radio.example", "…"),
      ("http://http//anna:ge#heim@radio.example/", "http://…"),
      ("http://list.example/a/http//anna:ge/heim@radio.example/live", "http://…"),
    ])
  func doubtful(_ text: String, _ shown: String) {
    #expect(String(StationAddress(text).description.unicodeScalars) == String(shown.unicodeScalars))
    #expect(StationAddress(text).hasSecrets)
  }

  @Test(
    "An address knows if it contains a secret",
    arguments: [
      ("http://a/b", false), ("a:8000/b", false), ("http://a/b#c", false), ("http://anna@a/b", true),
      ("http://a/b?", false), ("http://a/?c", false), ("http://a/b|Cookie=c", true), ("http://a/b?c|Cookie=c", true),
      ("file:///a/b.mp3", false),
      ("http://a:b/", true),
      ("http://a/@b/c:d", false), ("http://a/http://b/@c", false), ("a/b@c", false), ("file:///a: b//c@d.mp3", false),
    ])
  func secrets(_ text: String, _ hasSecrets: Bool) {
    #expect(StationAddress(text).hasSecrets == hasSecrets)
  }

  @Test(
    "A query is a secret only if a parameter is a secret by its name",
    arguments: [
      ("id=7&type=.mp3", false), ("nocache=1764426000&aw_0_1st=x", false), ("stream=1&author=anna&keyboard", true),
      ("format=mp3&design=a", true), ("uuid=550e8400-e29b-41d4-a716-446655440000", false), ("passage=1", true),
      ("token=a", true), ("X-Amz-Signature=a", true), ("Key-Pair-Id=a", true), ("hdnts=exp~hmac=a", true),
      ("api_key=a", true), ("AUTH=a", true), ("wmsAuthSign=a", true), ("author=a", false), ("authorization=a", true),
      ("sig=a", true), ("signal=a", false), ("u%73er=a", true), ("us%2565r=a", true), ("username=a", true),
      ("p4ssword&password=a", true), ("pwd=a", true), ("x=1;token=a", true),
      ("url=http%3A%2F%2Fa%2F%3Ftoken%3Da", true),
      ("url=http://anna:geheim@a/", true), ("mail=anna%40a.example", true), ("sessionid=a", true), ("md5=a", true),
      ("listen", false), ("9f8e7d6c5b4a3928", true), ("key1=a", true), ("u=anna&p=geheim&id=7", true),
      ("u=anna&t=a&s=b", true), ("u=1&id=2", false),
      ("p=1&s=2", false), ("PHPSESSID=a", true), ("ticket=a", true), ("x=exp~hmac=a", true), ("st=a&e=1", true),
      ("secret", true), ("", false), ("=&&=", false),
      ("%", false), ("%zz%4", false), ("country=DE&lang=de&bitrate=128", false), ("t\u{F6}ken=a", false),
    ])
  func queries(_ query: String, _ isSecret: Bool) {
    let address = StationAddress("http://a/b?\(query)#c")
    #expect(address.hasSecrets == isSecret && StationAddress.isSecret(parameter: query) == isSecret)
    #expect("\(address)" == (isSecret ? "http://a/b" : "http://a/b?\(query)"))
  }

  @Test("A long address is cut")
  func long() {
    let text = "http://a/" + String(repeating: "x", count: 9_000)
    #expect(StationAddress(text).description == text.prefix(500) + "…")
    // Each letter has two bytes; the limit is in the middle of a letter.
    let wide = "http://a/" + String(repeating: "ä", count: 300)
    #expect(StationAddress(wide).description == wide.prefix(254) + "…")
    #expect(StationAddress(String(wide.prefix(254))).description == wide.prefix(254))
    #expect(StationAddress(text + "?pin=1").withoutSecrets == StationAddress(text))
  }

  @Test(
    "An address is found in other texts",
    arguments: [
      ("Integer expected: http://anna:geheim@a/b?c=d", "Integer expected: http://a/b?c=d"),
      ("“http://anna:geheim@a/b?key=c” and\n  'ftp://d@e/f'.", "“http://a/b and\n  'ftp://e/f'."),
      ("no address: a b // c", "no address: a b // c"), ("\"://\u{301}a:b@c\"", "\"…"),
      ("/turn?pin=geheim now", "/turn now"), ("host/live?token=geheim", "host/live"), ("//anna:geheim@h/a", "//h/a"),
      ("http://a/x,http://anna:geheim@h/", "http://a/x,http://h/"), ("x/y?pin,http://a/?key", "x/yhttp://a/"),
      ("AC/DC? What/now?", "AC/DC? What/now?"), ("Live@Home/1986", "Live@Home/1986"), ("a:b/c@d", "a:b/c@d"),
      ("no http//anna:geheim@h/a", "no …"), ("no http//anna:ge/heim@h/a", "no …"), ("anna:geheim@h/a", "h/a"),
      ("no http/anna:geheim@h//live", "no …"), ("anna:geheim@h//a", "h//a"), ("a//b c@d", "a//b c@d"),
    ])
  func inText(_ text: String, _ shown: String) {
    #expect(StationAddress.redacting(text) == shown)
  }
}
