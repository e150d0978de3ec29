import Framing
import Listings

final class PlsReading: FuzzTarget {
  static let name = "pls"
  static let seeds = [
    "[playlist]\nNumberOfEntries=2\nFile1=http://a.example/x\nTitle1=A\nLength1=-1\nFile2=b.mp3\nLength2=12\n",
    "file0000000000000000001=\"a b\"\r\rFILE1=x", "\u{FEFF}[playlist]\nFile9223372036854775808=a\nFile-1=b\n;File1=c",
  ].map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) { PlaylistCheck.read(bytes, .pls) }
}

final class M3uReading: FuzzTarget {
  static let name = "m3u"
  static let seeds =
    [
      "#EXTM3U\n#EXTINF:123,Artist - Title\nhttp://a.example/x y\n#EXTINF:-1 a=\"b,c\",d\n../e.mp3\nC:\\f.mp3\n",
      "#EXTINF:\u{301}5,\n\"'a'\"\r\n//b/c", "\u{FF}\u{FE}",
    ].map { Array($0.utf8) } + [
      [0xFF, 0xFE, 0x61, 0, 0x0A, 0, 0x62, 0], [0, 0x61, 0, 0x0A, 0, 0x62], [0x93, 0x61, 0x94],
    ]

  func run(_ bytes: Span<UInt8>) { PlaylistCheck.read(bytes, .m3u) }
}

final class XspfReading: FuzzTarget {
  static let name = "xspf"
  static let seeds = [
    "<?xml version='1.0'?><playlist xmlns='http://xspf.org/ns/0/' version='1' xml:base='http://a/b/'><trackList><track>"
      + "<location>c</location><location>/d</location><title>E &amp; F</title><duration>12345</duration></track>"
      + "</trackList></playlist>",
    "<!DOCTYPE a SYSTEM \"b\"><x:PLAYLIST><x:trackLIST><x:track xml:base='//c?d#e'><x:location>"
      + "?f</x:location></x:track>",
    "<!DOCTYPE a [<!ENTITY b 'c'>]><playlist>&b;</playlist>",
  ].map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) { PlaylistCheck.read(bytes, .xspf) }
}

final class AsxReading: FuzzTarget {
  static let name = "asx"
  static let seeds = [
    "<ASX version=3><title>a</title><entry><title>b &amp;amp; c</title><ref href=\"http://a/b\"/>"
      + "<REF HREF = 'c'></entry>"
      + "<entryref href=d /></ASX>",
    "[Reference]\nRef1=http://a/b\nRef2=c\n", "<!-- <entry> --><a href=\"b\nc\"><ref href='d'<ref =href href href=e",
  ].map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) { PlaylistCheck.read(bytes, .asx) }
}

final class OpmlReading: FuzzTarget {
  static let name = "opml"
  static let seeds = [
    "<?xml version='1.0'?><opml version='2.0'><head><title>a</title></head><body><outline text='b'>"
      + "<outline type='audio' text='c &amp; d' URL='http://a/b'/><outline type='rss' title='e' xmlUrl='//f/g'/>"
      + "</outline></body></opml>",
    "<OPML><outline url='a b' URL='c' text=' ' title='d'/><outline isComment='true'><outline url='e'/></outline>",
    "<opml><outline type='link' url='a'/><outline url='",
  ].map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) { PlaylistCheck.read(bytes, .opml) }
}

private enum PlaylistCheck {
  static func read(_ bytes: Span<UInt8>, _ kind: PlaylistKind) {
    guard let entries = try? PlaylistParser.entries(of: bytes, kind: kind) else { return }
    expect((1...PlaylistLimits.maxEntryCount).contains(entries.count), "a list that is read has 1 … 1,000 entries")
    for entry in entries {
      expect((1...PlaylistLimits.maxLineLength).contains(entry.reference.utf8.count), "a reference has its measure")
      expect(entry.reference.unicodeScalars.allSatisfy(isClean), "a reference can be fetched as it is")
      expect(
        entry.title.map { (1...PlaylistLimits.maxLineLength).contains($0.utf8.count) } ?? true,
        "a title has its measure")
      expect(entry.seconds.map { $0 >= 1 } ?? true, "an entry lasts")
    }
  }

  private static func isClean(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0x20 && !(0x7F..<0xA0).contains(scalar.value)
  }
}
