enum NowPlayingField: Equatable {
  /// The title; if several names of a field occur, the lowest rank wins.
  case title(rank: Int)
  case artist(rank: Int)
  case url(rank: Int)
  case start(rank: Int)
  case end
  case length
  case type
  case status

  /// Recognizes the name of an element or attribute, ignoring case, prefix and separators; nil if unknown.
  init?(_ name: String) {
    guard let field = Self.names[Self.plain(name)] else { return nil }
    self = field
  }

  static func plain(_ name: String) -> String {
    var plain: [UInt8] = []
    var isPrefixOver = false
    for byte in name.utf8 {
      if byte == UInt8(ascii: ":") {
        isPrefixOver = true
        continue
      }
      if isPrefixOver { plain.removeAll(keepingCapacity: true) }
      isPrefixOver = false
      switch byte {
      case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): break
      default: plain.append(byte.asciiLowercased)
      }
    }
    return String(decoding: plain, as: UTF8.self)
  }

  private static let names: [String: NowPlayingField] = {
    var names: [String: NowPlayingField] = [:]
    for (field, words) in table { for word in words.split(separator: " ") { names[String(word)] = field } }
    return names
  }()

  private static let table: [(NowPlayingField, String)] = [
    (.title(rank: 0), "title songtitle tracktitle cuttitle itemtitle songname trackname titel"),
    (.title(rank: 1), "song track name"),
    (.artist(rank: 0), "artist artistname songartist trackartist interpret"),
    (.artist(rank: 1), "performer performers singer band"),
    (.artist(rank: 2), "composer"),
    (.url(rank: 0), "url link"),
    (.url(rank: 1), "ecommerceurl buyurl infourl"),
    (.url(rank: 2), "clickthruurl"),
    (.start(rank: 0), "start starttime startingtime playedtime playedat airtime begin begintime startedat started"),
    (.start(rank: 1), "time timestamp datetime playtime scheduledtime schedtime onairtime"),
    (.end, "end endtime endingtime finish"),
    (.length, "length duration len runtime seconds playlength"),
    (.type, "type category eventcategory eventtype class audiotype tracktype songtype"),
    (.status, "status state"),
  ]
}

extension NowPlayingEvent.Phase {
  /// Recognizes the phase in a status, in the name of an event's element, or in the parent's name; nil if unknown.
  init?(saying word: String) {
    switch NowPlayingField.plain(word).filter({ $0 != " " }) {
    case "playing", "nowplaying", "now", "current", "onair", "live", "currentsong", "currenttrack", "currentevent":
      self = .now
    case "next", "upnext", "comingup", "upcoming", "queued", "scheduled", "nextsong", "nexttrack", "nextevent",
      "future":
      self = .next
    case "played", "history", "past", "done", "finished", "previous", "last", "lastsong", "recent": self = .past
    default: return nil
    }
  }
}

enum NowPlayingEventType {
  /// Returns false only for types that are known not to be songs.
  static func maySing(_ type: String) -> Bool {
    let word = NowPlayingField.plain(type).filter { $0 != " " }
    return !others.contains(word)
  }

  private static let others: Set<String> = {
    let words = """
      ad ads advert adverts advertisement advertising bed break com comm comment commercial commercials id ids imaging \
      jin jingle jingles lin liner liners link links lnk macro news nws promo promos pro psa speech spo spot spots spt \
      station stationid sweeper sweepers swp talk tlk tra traffic trf underwriting voice voicetrack voicetracks vt vtk \
      weather wth werbung nachrichten
      """
    return Set(words.split(separator: " ").map { String($0) })
  }()
}
