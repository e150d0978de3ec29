import Framing
import SeededRandom
import Testing
import Units

struct SentTitleTests {
  @Test(
    "Known character references are decoded, and others remain",
    arguments: [
      ("Guns N&#039; Roses - Don&#x27;t Cry", "Guns N' Roses - Don't Cry"), ("&#352;koro - &ccaron;as", "Škoro - čas"),
      ("Beyonc&eacute; - &quot;Halo&quot;", "Beyoncé - \"Halo\""), ("AT&T; - R&B;", "AT&T; - R&B;"),
      ("A &amp;amp; B", "A & B"), ("N&amp;#39; R", "N' R"), ("&lstrok;&oacute;d&zacute;", "łódź"),
      ("&#1050;&#x418;", "КИ"), ("&#128;5", "€5"), ("A &lt; B &gt; C", "A < B > C"),
      ("Rock & Roll; &", "Rock & Roll; &"),
      ("&#;&#x;&#+9;&#-9;&#xZ;", "&#;&#x;&#+9;&#-9;&#xZ;"), ("&#55296;&#1114112;", "&#55296;&#1114112;"),
      ("&#99999999999;&eacute", "&#99999999999;&eacute"), ("&&amp;;&;", "&&;&;"), ("&#1 Fan", "&#1 Fan"),
      ("&rsquo;&ndash;&hellip;&euro;", "’–…€"), ("&Alpha;&omega;&szlig;", "Αωß"),
    ])
  func references(text: String, decoded: String) {
    #expect(CharacterReference.decoded(text) == decoded)
    #expect(SentTitle(text)?.text == decoded)
  }

  @Test(
    "Fields of an automation system become artist and title",
    arguments: [
      (#"Band - text="Song" song_spot="M" MediaBaseId="1" spotInstanceId="-1""#, "Band", "Song"),
      (#"Band - Live - text="Song" song_spot="M""#, "Band - Live", "Song"),
      (#"text="Band - Song" amgTrackId="98" length="00:03:46""#, nil, "Band - Song"),
      (#"text="Song" song_spot="M""#, nil, "Song"), (#" - text="Song" song_spot="M""#, nil, "Song"),
      (#"Band - text="Say "Yes" Now" song_spot="M""#, "Band", #"Say "Yes" Now"#),
      (#"Band - text="Song (7" Mix)" song_spot="M""#, "Band", #"Song (7" Mix)"#),
      (#"title="Song",artist="Band",url="song_spot=\"M\" MediaBaseId=\"1\"""#, "Band", "Song"),
      (#"artist="A, B",title="C \"D\" \\E""#, "A, B", #"C "D" \E"#), (#"title="Song",artist=Band"#, "Band", "Song"),
      (#"title="Band - Song",artist="Band - Song",url="http://a/b.jpg""#, nil, "Band - Song"),
      (#"title="Band - Song",artist="Band""#, nil, "Band - Song"), (#"TITLE="Song",ARTIST="Band""#, "Band", "Song"),
      (#"title="Rock &amp; Roll",artist="N&#39;Sync""#, "N'Sync", "Rock & Roll"),
      (#"title="Say &quot;A&quot;, B",artist="X""#, "X", #"Say "A", B"#),
      (#"Band - text="Song" song_spot="F" TPID="44166046" cartcutId="0""#, "Band", "Song"),
      (#"Band - Song song_spot="M""#, nil, "Band - Song"), (#"Band - text="So"#, "Band", "So"),
      ("E=MC2 - a=b", nil, "E=MC2 - a=b"), (#"Say "a=b" twice"#, nil, #"Say "a=b" twice"#),
      (" - Song", nil, "Song"), ("Band - ", nil, "Band"), (" - ", nil, ""), ("-", nil, ""), ("", nil, ""),
      ("Ann - The news", nil, "Ann - The news"), (#"title="",artist="""#, nil, ""),
    ] as [(String, String?, String)])
  func fields(text: String, artist: String?, track: String) {
    let title = SentTitle(text)
    #expect(title?.artist == artist)
    #expect(title?.track == track)
  }

  @Test(
    "A mark of an ad, and fields without a title, return nil",
    arguments: [
      "START ADBREAK 1", "STOP ADBREAK 12", "START_AD_BREAK_6000", "Advertisement_Start_Length=00:00:29.960",
      "Advertisement_Stop", "AD 2", "Advert:", "ADWTAG_60000 - THIS STATION WILL CONTINUE AFTER", "Spot Block Start",
      "Spot Block End", "commercial break", "Advertisement - Advertisement",
      #" - text="Spot Block End" amgTrackId="98""#,
      #"text="text="Spot Block End" amgTrackId="98"""#, #"title="text=\"Spot Block End\" length=\"0\"",artist=" ""#,
      #"Kroger - text="Save More" song_spot="T" MediaBaseId="0""#,
      #"A - text="B" song_spot="F" MediaBaseId="0" TPID="0""#,
      #"title="B",artist="A",url="song_spot=\"T\"""#, #"title="B",artist="A",adw_ad="true""#,
      #"title="https://a.example/eventdata/247",url="https://a.example/eventdata/247""#, #"length="00:01:00",id="1""#,
    ])
  func marks(text: String) { #expect(SentTitle(text) == nil) }

  @Test(
    "A mark has its end, or its kind and length",
    arguments: [
      ("START ADBREAK 1", AdMark.begin(AdBreak(.spot))), ("STOP ADBREAK 12", .end),
      ("Advertisement_Start_Length=00:00:29.960", Self.spot(29.96)), ("Advertisement_Stop", .end),
      ("Spot Block End", .end), (#" - text="Spot Block End" amgTrackId="98""#, .end),
      (#"A - text="B" song_spot="T" length="00:00:30""#, Self.spot(30)),
      (#"title="B",artist="A",url="song_spot=\"T\" length=\"61\"""#, Self.spot(61)),
      (#"A - text="B" song_spot="T" length="1:2:3:4""#, .begin(AdBreak(.spot))),
      (#"A - text="B" song_spot="T" length="25:00:00""#, .begin(AdBreak(.spot))),
      (#"A - text="B" song_spot="T" length=".""#, .begin(AdBreak(.spot))), ("A - B", nil),
      (#"A - text="B" song_spot="M""#, nil), (#"title="https://a.example/eventdata/247""#, nil),
    ] as [(String, AdMark?)])
  func ads(text: String, mark: AdMark?) { #expect(AdMark(sent: text) == mark) }

  private static func spot(_ seconds: Double) -> AdMark {
    .begin(AdBreak(.spot, length: StreamTime(seconds: seconds)))
  }

  @Test(
    "Titles with words of ads remain",
    arguments: [
      "The Advert - Gary Gilmore's Eyes", "Break", "Start", "Live", "Spot", "AD", "Spotlight", "Commercial Breakup",
      "Ad Astra", "Breaks - Stop", "Stop", "Die Werbung",
    ])
  func songs(text: String) { #expect(SentTitle(text)?.text == text) }

  @Test("Any text is read in linear time")
  func hostile() {
    var random = SeededGenerator(11)
    let parts = [
      "text=\"", "\"", "song_spot=", "title=\"", " ", ",", "\\", "&", "amp;", "#39;", "a", "é", " - ", "=", ";",
    ]
    var excess = 0
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...30, using: &random)).compactMap { _ in parts.randomElement(using: &random) }
      let title = SentTitle(text.joined())
      excess += (title?.text.utf8.count ?? 0) > text.joined().utf8.count + 3 ? 1 : 0
    }
    #expect(excess == 0)
    for part in parts { _ = SentTitle("text=\"" + String(repeating: part, count: 20_000)) }
  }
}
