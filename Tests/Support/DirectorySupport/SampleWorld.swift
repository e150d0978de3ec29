import SeededRandom

/// Countries, towns, tags and hosts for fictional stations.
struct SampleWorld {
  struct Country {
    let code: String
    let name: String
    let language: String
    /// Index in `scripts`.
    let script: Int
  }

  let countries: [Country]
  let towns: [String]
  let tags: [String]
  let hosts: [String]

  init(seed: UInt64) {
    var random = SeededGenerator(seed ^ 0x5EED)
    func word(_ syllables: Int) -> String {
      (0..<syllables).map { _ in
        Self.onsets[Int(random.next() % UInt64(Self.onsets.count))]
          + Self.rimes[Int(random.next() % UInt64(Self.rimes.count))]
      }.joined()
    }
    countries =
      Self.known
      + (0..<150).map { _ in
        let letters = (0..<2).map { _ in String(UnicodeScalar(UInt8(65 + random.next() % 26))) }.joined()
        return Country(code: letters, name: word(3).capitalized, language: word(2), script: 0)
      }
    towns = (0..<24_000).map { index in word(index < 300 ? 2 : 2 + Int(random.next() % 3)).capitalized }
    tags =
      Self.genres
      + (0..<7_000).map { index in
        index % 3 == 0 ? "\(Self.genres[index % Self.genres.count]) \(word(2))" : word(2 + index % 2)
      }
    hosts = (0..<3_000).map { _ in
      let first = ["stream", "cast", "radio", "s\(random.next() % 40)"][Int(random.next() % 4)]
      return "\(first).\(word(3)).\(["com", "net", "de", "com.br"][Int(random.next() % 4)])"
    }
  }

  private static let onsets = [
    "b", "br", "c", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "st", "t", "v", "w", "z", "",
  ]
  private static let rimes = [
    "a", "e", "i", "o", "u", "an", "en", "in", "on", "ar", "er", "or", "ö", "ü", "é", "ão", "as", "ell", "ing", "ost",
  ]

  static let genres = [
    "pop", "music", "news", "rock", "classical", "talk", "radio", "hits", "top 40", "dance", "oldies", "80s", "90s",
    "jazz", "christian", "electronic", "house", "country", "ambient", "classic rock", "folk", "local news", "sports",
    "public radio", "adult contemporary", "alternative", "r&b", "hip hop", "latin", "metal", "blues", "soul", "reggae",
    "música", "chillout", "lounge", "schlager", "techno", "trance", "indie", "world music", "culture",
    "community radio",
  ]

  private static let known = [
    Country(code: "US", name: "The United States Of America", language: "english", script: 0),
    Country(code: "DE", name: "Germany", language: "german", script: 0),
    Country(code: "RU", name: "The Russian Federation", language: "russian", script: 1),
    Country(code: "FR", name: "France", language: "french", script: 0),
    Country(code: "GR", name: "Greece", language: "greek", script: 2),
    Country(code: "CN", name: "China", language: "chinese", script: 5),
    Country(
      code: "GB", name: "The United Kingdom Of Great Britain And Northern Ireland", language: "english", script: 0),
    Country(code: "MX", name: "Mexico", language: "spanish", script: 0),
    Country(code: "AE", name: "The United Arab Emirates", language: "arabic", script: 3),
    Country(code: "IT", name: "Italy", language: "italian", script: 0),
    Country(code: "JP", name: "Japan", language: "japanese", script: 6),
    Country(code: "IN", name: "India", language: "hindi", script: 8),
    Country(code: "TH", name: "Thailand", language: "thai", script: 9),
    Country(code: "IL", name: "Israel", language: "hebrew", script: 4),
    Country(code: "KR", name: "The Republic Of Korea", language: "korean", script: 7),
    Country(code: "GE", name: "Georgia", language: "georgian", script: 10),
    Country(code: "AM", name: "Armenia", language: "armenian", script: 11),
    Country(code: "BR", name: "Brazil", language: "portuguese", script: 0),
  ]

  /// Words in radio names: Latin, Cyrillic, Greek, Arabic, Hebrew, Han, Kana, Hangul, Devanagari, Thai, Georgian,
  /// Armenian.
  static let scripts = [
    [
      "Radio", "Antenne", "La Mañana", "Rádio", "Música", "Kanal", "Głos", "Şehir", "Nhạc Việt", "Energy", "Hitradio",
      "Sunshine",
    ],
    ["Радио", "Русское", "Хит", "Европа", "Дорожное", "Маяк", "Шансон", "Вести", "Ретро", "Жизнь", "Юность", "Щастя"],
    ["Ράδιο", "Μουσική", "Αθήνα", "Ελληνικός", "Θεσσαλονίκη", "Κρήτη", "Δίεση", "Ψυχή", "Ξένα", "Φωνή"],
    ["إذاعة", "القرآن", "الكريم", "راديو", "صوت", "موسيقى", "العربية", "أغاني", "مصر", "دبي"],
    ["רדיו", "קול", "ישראל", "מוזיקה", "חיפה", "גלי", "צה״ל", "שלום", "ירושלים"],
    ["北京", "音乐广播", "中国之声", "上海", "新闻", "交通", "文艺", "经济", "都市", "粤语", "之声", "故事"],
    ["ラジオ", "ニッポン", "エフエム", "さくら", "みなと", "おおさか", "ジャズ", "ポップス", "げんき", "ひまわり"],
    ["라디오", "서울", "음악", "방송", "교통", "부산", "클래식", "국악", "가요", "뉴스"],
    ["रेडियो", "हिंदी", "संगीत", "विविध", "भारती", "आकाशवाणी", "दिल्ली", "भक्ति", "गीत"],
    ["วิทยุ", "เพลง", "ลูกทุ่ง", "ข่าว", "กรุงเทพ", "เชียงใหม่", "สถานี", "ธรรมะ"],
    ["რადიო", "თბილისი", "მუსიკა", "ფორტუნა", "იმედი", "საქართველო"],
    ["Ռադիո", "Երևան", "Երաժշտություն", "Հայաստան", "Արարատ", "Ձայն"],
  ]
}

extension String {
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
