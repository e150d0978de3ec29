"""Declared encodings of lists and feeds; feeds out of order, links as enclosures, text before the declaration."""
from kit import member

MP3 = "audio/mpeg"


def sound(run, begin=20, seconds=3):
    return run.material.sound("mp3", begin, begin + seconds)


# 14: declared encodings

def rss(encoding, title, declaration=None):
    head = declaration if declaration is not None else f'<?xml version="1.0" encoding="{encoding}"?>\n'
    return (f'{head}<rss version="2.0"><channel><title>{title}</title><item><title>{title}</title>'
            '<guid>1</guid><pubDate>Sun, 29 Nov 2026 10:00:00 GMT</pubDate>'
            '<enclosure url="/a.mp3" type="audio/mpeg" length="24000"/></item></channel></rss>')


def xspf(encoding, title):
    return (f"<?xml version='1.0' encoding='{encoding}'?><playlist version='1' xmlns='http://xspf.org/ns/0/'><trackList>"
            f"<track><location>/a.mp3</location><title>{title}</title></track></trackList></playlist>")


def asx(encoding, title):
    return f'<ASX version="3.0"><PARAM name="encoding" value="{encoding}"/><ENTRY><TITLE>{title}</TITLE>' \
           '<REF href="/a.mp3"/></ENTRY></ASX>'


def encoded(name, documents, unknown=0):
    """Registers documents of (kind of list, bytes, title). Each plays its one file under the title."""
    def play(run):
        def answer(request):
            if request.path == "/a.mp3":
                return request.file(sound(run), MP3)
            number = int(request.path[1:].split(".")[0])
            kind, body, _ = documents[number]
            return request.answer(body, kind)

        server = run.serve(answer)
        for number, (_, _, title) in enumerate(documents):
            heard = run.play(server.url(f"/{number}.xml"), seconds=10, free=True)
            run.want(abs(heard.total - 3) < 0.2 and heard.code == 0, f"{number}: heard {heard}")
            run.want(heard.titles[:1] == [title], f"{number}: titles {heard.titles} instead of {title!r}")
            run.want(heard.count("unknownEncoding") == unknown, f"{number}: {heard.count('unknownEncoding')} reports")
    member(14, name, ", ".join(title for _, _, title in documents))(play)


RSS, XSPF, ASX = "application/rss+xml", "application/xspf+xml", "video/x-ms-asf"
CYRILLIC, CZECH, GREEK = "Радио ёжик №5", "Příliš žluťoučký kůň", "Ελληνική ραδιοφωνία"
encoded("Cyrillic: windows-1251, koi8-r, ISO-8859-5, koi8-u", [
    (RSS, rss("windows-1251", CYRILLIC).encode("cp1251"), CYRILLIC),
    (RSS, rss("KOI8-R", "Радио ёжик").encode("koi8-r"), "Радио ёжик"),
    (RSS, rss("iso-8859-5", CYRILLIC).encode("iso8859-5"), CYRILLIC),
    (RSS, rss("koi8-u", "Їжак і ґанок").encode("koi8-u"), "Їжак і ґанок")])
encoded("central Europe and the Baltic: windows-1250, ISO-8859-2, -4, -13, windows-1257", [
    (RSS, rss("Windows-1250", CZECH).encode("cp1250"), CZECH), (RSS, rss("latin2", CZECH).encode("iso8859-2"), CZECH),
    (RSS, rss("iso-8859-4", "Ķēniņš šūpo").encode("iso8859-4"), "Ķēniņš šūpo"),
    (RSS, rss("ISO-8859-13", "Žąsys ėda").encode("iso8859-13"), "Žąsys ėda"),
    (RSS, rss("cp1257", "Žąsys „ėda“").encode("cp1257"), "Žąsys „ėda“")])
encoded("Greek, Turkish, Hebrew, Arabic, Thai, Vietnamese", [
    (RSS, rss("windows-1253", GREEK).encode("cp1253"), GREEK), (RSS, rss("iso-8859-7", GREEK).encode("iso8859-7"), GREEK),
    (RSS, rss("windows-1254", "Şarkı söyle ığ").encode("cp1254"), "Şarkı söyle ığ"),
    (RSS, rss("windows-1255", "שלום עולם").encode("cp1255"), "שלום עולם"),
    (RSS, rss("windows-1256", "راديو القرآن").encode("cp1256"), "راديو القرآن"),
    (RSS, rss("tis-620", "วิทยุไทย").encode("tis-620"), "วิทยุไทย"),
    (RSS, rss("windows-1258", "Đài phát").encode("cp1258"), "Đài phát")])
encoded("east Asia: gbk, gb2312, gb18030, shift_jis, euc-jp, iso-2022-jp, euc-kr, big5", [
    (RSS, rss("gbk", "中国广播電臺").encode("gbk"), "中国广播電臺"), (RSS, rss("GB2312", "北京新闻").encode("gb2312"), "北京新闻"),
    (RSS, rss("gb18030", "北京𠀀").encode("gb18030"), "北京𠀀"), (RSS, rss("Shift_JIS", "表示ラジオ①").encode("cp932"), "表示ラジオ①"),
    (RSS, rss("EUC-JP", "日本の歌").encode("euc-jp"), "日本の歌"), (RSS, rss("iso-2022-jp", "日本の歌").encode("iso2022_jp"), "日本の歌"),
    (RSS, rss("euc-kr", "한국 라디오").encode("euc-kr"), "한국 라디오"), (RSS, rss("Big5", "臺灣廣播功").encode("big5"), "臺灣廣播功")])
encoded("XSPF in windows-1251, shift_jis and ISO-8859-15", [
    (XSPF, xspf("windows-1251", CYRILLIC).encode("cp1251"), CYRILLIC), (XSPF, xspf("shift_jis", "ソフト").encode("shift_jis"), "ソフト"),
    (XSPF, xspf("iso-8859-15", "Œuvre à 5 €").encode("iso8859-15"), "Œuvre à 5 €")])
encoded("ASX in windows-1251, gbk and euc-kr", [
    (ASX, asx("windows-1251", CYRILLIC).encode("cp1251"), CYRILLIC), (ASX, asx("gbk", "中国之声").encode("gbk"), "中国之声"),
    (ASX, asx("ks_c_5601-1987", "한국 방송").encode("cp949"), "한국 방송")])
encoded("valid UTF-8 wins over a wrong declaration", [
    (RSS, rss("ISO-8859-1", CYRILLIC).encode(), CYRILLIC), (RSS, rss("windows-1251", "Café Müller").encode(), "Café Müller"),
    (RSS, rss("gbk", CZECH).encode(), CZECH), (XSPF, xspf("koi8-r", "Mixórdia").encode(), "Mixórdia")])
encoded("a byte order mark, UTF-16 of both orders", [
    (RSS, b"\xef\xbb\xbf" + rss("utf-8", CYRILLIC).encode(), CYRILLIC),
    (RSS, b"\xff\xfe" + rss("utf-16", CYRILLIC).encode("utf-16-le"), CYRILLIC),
    (RSS, b"\xfe\xff" + rss("UTF-16", CZECH).encode("utf-16-be"), CZECH)])
encoded("no declaration: UTF-8, else windows-1252", [
    (RSS, rss("", CYRILLIC, "").encode(), CYRILLIC), (RSS, rss("", "Café “Müller” – €5", "").encode("cp1252"), "Café “Müller” – €5")])
encoded("unknown names fall back to windows-1252, and are reported", [
    (RSS, rss("x-klingon", "Café “Müller”").encode("cp1252"), "Café “Müller”"),
    (XSPF, xspf("latin-99", "Señor €").encode("cp1252"), "Señor €")], unknown=1)
encoded("the header's charset where the document has none", [
    ("application/rss+xml; charset=windows-1251", rss("", CYRILLIC, "").encode("cp1251"), CYRILLIC),
    ('text/xml; charset="ISO-8859-2"', rss("", CZECH, "<?xml version='1.0'?>").encode("iso8859-2"), CZECH)])
encoded("ISO-8859-1 means windows-1252", [(RSS, rss("ISO-8859-1", "It’s €5 – “ok”").encode("cp1252"), "It’s €5 – “ok”")])


# 15: feeds

def feed(name, document, first, kind="application/rss+xml", requests=None):
    """Registers a feed whose first audible episode is `first`: the part of the programme from that second on."""
    def play(run):
        def answer(request):
            if request.path == "/feed":
                text = document(server) if callable(document) else document
                return request.answer(text, kind)
            if request.path.startswith("/e"):
                return request.file(sound(run, int(request.path[2:].split(".")[0]), 5), MP3)
            return request.refuse("404 Not Found")

        server = run.serve(answer)
        heard = run.play(server.url("/feed"), seconds=3, free=True)
        run.want(heard.pieces and abs(heard.pieces[0].begin - first) < 0.3, f"heard {heard}")
        run.want(heard.code == 0, f"exit code {heard.code}: {heard.last_message[:200]}")
        if requests:
            run.want(len(server.requests) <= requests, f"{len(server.requests)} requests")
    member(15, name, f"from {first} s")(play)


def item(number, date, more="", enclosure=True):
    link = f'<enclosure url="/e{number}.mp3" type="audio/mpeg" length="40000"/>' if enclosure else ""
    return f"<item><title>Episode {number}</title><guid>{number}</guid><pubDate>{date}</pubDate>{link}{more}</item>"


def channel(*items, more="", head='<?xml version="1.0" encoding="UTF-8"?>\n'):
    return (f'{head}<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>'
            f"<title>Show</title>{more}{''.join(items)}</channel></rss>")


OLD, MIDDLE, NEW = "Mon, 02 Nov 2026 10:00:00 +0100", "Mon, 09 Nov 2026 10:00:00 EST", "Mon, 16 Nov 2026 10:00:00 GMT"
feed("oldest first", channel(item(10, OLD), item(20, MIDDLE), item(30, NEW)), 30)
feed("mixed order, dates without weekday and with a short year",
     channel(item(20, "9 Nov 26 10:00 +0000"), item(30, "16 Nov 2026 10:00:00 -0500"), item(10, OLD)), 30)
feed("the same day in three zones", channel(
    item(10, "Mon, 16 Nov 2026 12:00:00 +0200"), item(20, "Mon, 16 Nov 2026 11:00:00 GMT"),
    item(30, "Mon, 16 Nov 2026 12:30:00 +0300")), 20)
feed("ISO dates in RSS", channel(item(10, "2026-11-02T10:00:00Z"), item(30, "2026-11-16T10:00:00+01:00"),
                                 item(20, "2026-11-09")), 30)
# Dates that are not whole do not order the episodes.
feed("an episode without a date between two with dates", channel(item(10, OLD), item(20, ""), item(30, NEW)), 10)
feed("a serial podcast, newest first", channel(
    item(30, NEW, "<itunes:episode>3</itunes:episode>"), item(20, MIDDLE, "<itunes:episode>2</itunes:episode>"),
    item(10, OLD, "<itunes:episode>1</itunes:episode>"), more="<itunes:type>serial</itunes:type>"), 10)
feed("a trailer that is newer than the first episode of a serial", channel(
    item(40, NEW, "<itunes:episodeType>trailer</itunes:episodeType>"),
    item(20, MIDDLE, "<itunes:episode>2</itunes:episode><itunes:season>1</itunes:season>"),
    item(10, OLD, "<itunes:episode>1</itunes:episode><itunes:season>1</itunes:season>"),
    more="<itunes:type>serial</itunes:type>"), 10)
feed("audio only in <link>", channel(item(10, OLD, "<link>/e10.mp3</link>", False), item(30, NEW, "<link>/e30.mp3</link>", False)), 30)
feed("audio in <link> with a query, beside an enclosure of a picture", channel(item(
    30, NEW, '<link>/e30.mp3?source=feed&amp;x=1</link><enclosure url="/p.jpg" type="image/jpeg" length="1"/>', False)), 30)
feed("audio in media:content", channel(item(
    30, NEW, '<media:content xmlns:media="http://search.yahoo.com/mrss/" url="/e30.mp3" type="audio/mpeg"/>', False)), 30)
feed("a page in <link> beside the enclosure", channel(item(30, NEW, "<link>/page.html</link>")), 30)
feed("an empty line and a notice before the declaration",
     channel(item(30, NEW), head='\n\n<!-- PHP notice -->\n<?xml version="1.0" encoding="UTF-8"?>\n'), 30)
feed("a warning of PHP before the declaration", channel(item(30, NEW), head=(
    "<br />\n<b>Warning</b>:  Undefined variable $x in <b>/var/www/feed.php</b> on line <b>3</b><br />\n"
    '<?xml version="1.0" encoding="UTF-8"?>\n')), 30)
feed("plain text before the declaration, in text/html",
     channel(item(30, NEW), head='Deprecated: Function foo() is deprecated in /x.php\n<?xml version="1.0"?>'), 30, "text/html")
feed("Atom with rel=enclosure, oldest first", (
    '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Show</title>' + "".join(
        f'<entry><title>{number}</title><id>{number}</id><updated>{date}</updated><link href="/page.html"/>'
        f'<link rel="enclosure" type="audio/mpeg" href="/e{number}.mp3"/></entry>'
        for number, date in ((10, "2026-11-02T10:00:00Z"), (30, "2026-11-16T10:00:00Z"))) + "</feed>"), 30, "application/atom+xml")
feed("unescaped ampersands, HTML entities and CDATA", channel(
    item(30, NEW).replace("Episode 30", "Q&A &nbsp;&eacute; <![CDATA[<b>x</b> & y]]>"), item(10, OLD, "<description>a & b &copy;</description>")), 30)
feed("a feed that breaks off after the newest episode", channel(item(30, NEW), item(10, OLD))[:-60], 30)
feed("an episode that is gone; the next one plays", channel(
    item(30, NEW).replace("/e30.mp3", "/gone.mp3"), item(20, MIDDLE), item(10, OLD)), 20)
feed("enclosures with relative addresses and xml:base", lambda server: channel(item(30, NEW).replace("/e30.mp3", "e30.mp3")).replace(
    "<channel>", f'<channel xml:base="{server.url("/")}">'), 30)
feed("a feed in a redirect, with a style sheet and a DOCTYPE", channel(item(30, NEW), head=(
    '<?xml version="1.0"?>\n<?xml-stylesheet type="text/xsl" href="/s.xsl"?>\n<!DOCTYPE rss [<!ENTITY x "y">]>\n')), 30)
