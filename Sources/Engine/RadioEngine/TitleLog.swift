import Units

/// The titles that came, and the moment of the programme that each begins at: what is heard has its title, wherever the
/// listener goes.
struct TitleLog {
  private var titles: [(title: Title, at: StreamTime, tagged: String?)] = []
  /// How many were forgotten before the first of them.
  private var forgotten = 0
  /// The number of the title that is heard, counted from the programme's first.
  private var heardNumber: Int?
  private var hasLeapt = false

  /// More are never kept: a station that sends more titles than sound is no station.
  private static let most = 512

  /// The title that is heard.
  var current: Title? {
    guard let heardNumber, heardNumber >= forgotten else { return nil }
    return titles[heardNumber - forgotten].title
  }

  /// Takes a title; one that begins before others that are known, as may be told beside a stream, goes between them.
  mutating func append(_ title: Title, at: StreamTime) {
    if titles.count == Self.most {
      titles.removeFirst()
      forgotten += 1
    }
    let place = count(at: at)
    if let heardNumber, place < titles.count, place <= heardNumber - forgotten { self.heardNumber = heardNumber + 1 }
    titles.insert((title, at, nil), at: place)
    assert(titles[max(0, place - 1)].at <= at, "titles lie in the order of their moments: they are searched by halves")
  }

  /// The title that a moment belongs to is a file's name in its list; the file's own tags have another one.
  mutating func note(tagged text: String, at moment: StreamTime) {
    let count = count(at: moment)
    if count > 0 { titles[count - 1].tagged = text }
  }

  /// When the next title after a moment begins; nil where none does.
  func next(after moment: StreamTime) -> StreamTime? {
    let count = count(at: moment)
    return count < titles.count ? titles[count].at : nil
  }

  /// A title with its moment, and its number, counted from the programme's first.
  struct Entry {
    var number: Int
    var title: Title
    var at: StreamTime
    /// What the file's own tags have in its place; nil where it is their own.
    var tagged: String?
  }

  /// The title that a moment belongs to; nil before the first.
  func entry(at moment: StreamTime) -> Entry? {
    let count = count(at: moment)
    return count > 0 ? entry(number: forgotten + count - 1) : nil
  }

  /// The title of a number; nil where none is known.
  func entry(number: Int) -> Entry? {
    let index = number - forgotten
    guard titles.indices.contains(index) else { return nil }
    return Entry(number: number, title: titles[index].title, at: titles[index].at, tagged: titles[index].tagged)
  }

  /// The listener went elsewhere: what lies between is not heard.
  mutating func leap() { hasLeapt = true }

  /// The same, and the file that is heard begins the programme: what sounded at `base` now does at zero.
  mutating func leap(by base: StreamTime) {
    titles = titles.map { ($0.title, $0.at - base, $0.tagged) }
    leap()
  }

  /// What begins at a moment or later comes again.
  mutating func forget(from moment: StreamTime) {
    titles.removeAll { $0.at >= moment }
    if let heardNumber, heardNumber >= forgotten + titles.count { self.heardNumber = nil }
    leap()
  }

  /// The titles that began since the last call, the last of them being heard at `moment`; after a leap the one alone.
  mutating func heard(at moment: StreamTime) -> [(title: Title, at: StreamTime)] {
    let count = count(at: moment)
    let number = count > 0 ? forgotten + count - 1 : nil
    defer { (heardNumber, hasLeapt) = (number, false) }
    guard let number, number != heardNumber else { return [] }
    let before = heardNumber ?? forgotten - 1
    let isOneOnly = hasLeapt || number < before
    return titles[(isOneOnly ? count - 1 : max(0, before + 1 - forgotten))..<count].map { ($0.title, $0.at) }
  }

  /// How many titles begin up to a moment.
  private func count(at moment: StreamTime) -> Int {
    var (low, high) = (0, titles.count)
    while low < high {
      let middle = (low + high) / 2
      if titles[middle].at <= moment { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
