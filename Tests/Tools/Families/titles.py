"""Titles: ICY around Ogg, character references, packed AAC in HLS, order and age."""
import struct
import time

from kit import HLS, PROGRAMME, LiveList, id3, member, paced, span, text_frame, with_titles

MP3 = "audio/mpeg"


def evenly(data, seconds, size=1_000):
    """Splits the bytes of a container into blocks of equal duration."""
    return [(data[at:at + size], seconds * size / len(data)) for at in range(0, len(data), size)]


# 10: ICY titles around Ogg, at tune-in

def tune_in(name, material, options, metaint, block, expected, kind="application/ogg", delay=0):
    """Registers an Ogg station with ICY titles. `block` returns the title of the n-th block; `delay`: blocks before the
    first title."""
    def play(run):
        data = run.material.ffmpeg(material, *options, seconds=40).read_bytes()

        def answer(request):
            icy = request["icy-metadata"] == "1"
            request.head("200 OK", f"Content-Type: {kind}", "icy-name: Ogg", *([f"icy-metaint: {metaint}"] if icy else []))
            blocks = paced(evenly(data, 40), 4.0)
            request.stream(with_titles(blocks, metaint, block) if icy else blocks)
            return time.sleep(10)

        heard = run.play(run.serve(answer).url("/ogg"), seconds=8)
        run.want_sound(heard, 8)
        run.want(heard.titles == expected, f"titles {heard.titles}")
        first = (heard.names("metadataChanged") or [{"at": 99}])[0]["at"]
        run.want(first < 1 + delay, f"first title at {first} s")
    member(10, name, f"8 s, {expected}")(play)


def steady(text):
    return lambda number: f"StreamTitle='{text}';"


VORBIS = ("-c:a", "libvorbis", "-q:a", "3", "-f", "ogg")
OPUS = ("-c:a", "libopus", "-b:a", "64k", "-f", "ogg")
FLAC = ("-c:a", "flac", "-f", "ogg")
tune_in("Vorbis without comments, metaint 16000", "tune.ogg", VORBIS, 16_000, steady("Ann - One"), ["Ann - One"], delay=4)
tune_in("Vorbis without comments, metaint 1024", "tune.ogg", VORBIS, 1_024, steady("Ann - One"), ["Ann - One"])
tune_in("Opus without comments, metaint 8192", "tune.opus", OPUS, 8_192, steady("Bea - Two"), ["Bea - Two"])
tune_in("Opus with pages of 1 s, metaint 4000", "tune-1s.opus", (*OPUS[:-2], "-page_duration", "1000000", "-f", "ogg"), 4_000,
        steady("Bea - Two"), ["Bea - Two"])
tune_in("FLAC in Ogg without comments, metaint 32000", "tune.oga", FLAC, 32_000, steady("Cal - Three"), ["Cal - Three"],
        delay=2)
tune_in("Vorbis with the encoder's first comments; ICY names the song on the air", "tuned.ogg", (
        *VORBIS[:-2], "-metadata", "title=Start", "-metadata", "artist=Dee", "-f", "ogg"), 1_000, steady("Dee - Song"),
        ["Dee - Start", "Dee - Song"])
tune_in("Opus whose comments are older than ICY's second title", "tuned.opus", (
        *OPUS[:-2], "-metadata", "title=Song", "-metadata", "artist=Eve", "-f", "ogg"), 8_192,
        lambda number: "StreamTitle='Eve - Song';" if number < 6 else "StreamTitle='Flo - Next';",
        ["Eve - Song", "Flo - Next"])
tune_in("three empty blocks, then a title", "tune.ogg", VORBIS, 2_000,
        lambda number: "" if number < 3 else "StreamTitle='Gus - Four';", ["Gus - Four"], delay=4)
tune_in("a station's name as the comment's only field", "named.ogg", (*VORBIS[:-2], "-metadata", "album=Radio", "-f", "ogg"),
        4_000, steady("Hal - Five"), ["Hal - Five"], kind="audio/ogg")


# 11: character references and fields of automation

def shown(name, *pairs, options=()):
    """Registers ICY titles in their raw form with the displayed ones; None: nothing new is displayed."""
    def play(run):
        raw = [text if isinstance(text, bytes) else text.encode() for text, _ in pairs]

        def titles(number):
            return b"StreamTitle='" + raw[min(number // 2, len(raw) - 1)] + b"';"

        def answer(request):
            request.head("200 OK", f"Content-Type: {MP3}", "icy-metaint: 4000")
            return request.stream(with_titles(paced(run.material.frames("mp3"), 4.0), 4_000, titles))

        seconds = len(pairs) + 2
        heard = run.play(run.serve(answer).url("/live"), seconds=seconds, options=options)
        run.want_sound(heard, seconds)
        found = [title for title in heard.titles if title]
        expected = [title for _, title in pairs if title]
        run.want(found == expected, f"titles {found}")
    member(11, name, str([title for _, title in pairs if title]))(play)


shown("XML references, decimal and hexadecimal, once and twice",
      ("Guns N&#39; Roses - Don&#x27;t Cry", "Guns N' Roses - Don't Cry"),
      ("Simon &amp; Garfunkel - &quot;Live&quot;", 'Simon & Garfunkel - "Live"'),
      ("Bj&#246;rk - J&#xF3;ga", "Björk - Jóga"), ("P&amp;#39;tit - A &amp;amp; B", "P'tit - A & B"),
      ("&lt;3 - 4 &gt; 2", "<3 - 4 > 2"), ("Dvo&#345;&aacute;k - Largo", "Dvořák - Largo"))
shown("ampersands that begin no reference",
      ("AT&T; - R&B;", "AT&T; - R&B;"), ("Q&A - B & C; D", "Q&A - B & C; D"), ("A&;B - C&#;D", "A&;B - C&#;D"),
      ("A - &nosuchname; B", "A - &nosuchname; B"), ("Drum&Bass - M&M;s", "Drum&Bass - M&M;s"), ("X - Rhythm &", "X - Rhythm &"))
shown("references of no character",
      ("A - &#xD800;x", "A - &#xD800;x"), ("B - &#1114112;x", "B - &#1114112;x"), ("C - &#150; x", "C - – x"),
      ("D - y&#99999999999;", "D - y&#99999999999;"))
shown("iHeart's fields", ('Ann - text="One" song_spot="M" MediaBaseId="123" itunesTrackId="0" amgTrackId="-1"', "Ann - One"),
      ('Bank - text="Spot Block" song_spot="T" MediaBaseId="0"', None),
      ('Bea &amp; Co - text="Don&apos;t" song_spot="M" spotInstanceId="-1" length="00:03:20"', "Bea & Co - Don't"),
      ('Cal - text="" song_spot="M"', None), ('Dee - text="R&B; Jam" song_spot="M"', "Dee - R&B; Jam"))
shown("Triton's fields", ('title="One",artist="Ann",url="song_spot=\\"M\\" length=\\"00:03:00\\""', "Ann - One"),
      ('title="Two, or More",artist="Bea",album="x"', "Bea - Two, or More"), ('artist="Cal",title="Three"', "Cal - Three"),
      ('title="A &quot;B&quot;",artist="Dee"', 'Dee - A "B"'), ('title="Only",artist=""', "Only"))
shown("texts that only look like fields", ("Bea - song_spot", "Bea - song_spot"), ("Dee - 12\" Mix", 'Dee - 12" Mix'),
      ('Eve - "Title" = "Song"', 'Eve - "Title" = "Song"'), ("Text = Fun - Gil", "Text = Fun - Gil"))
shown("marks of ads between songs", ("Ann - One", "Ann - One"), ("STOP ADBREAK 3", None), ("Advertisement_Start", None),
      ("Bea - Two", "Bea - Two"), ("Ad Astra - Commercial Break Up", "Ad Astra - Commercial Break Up"))
shown("references in windows-1251", ("Кино &amp; К - &laquo;Пачка&raquo;".encode("cp1251"), "Кино & К - «Пачка»"),
      ("ДДТ &#8211; Дождь".encode("cp1251"), "ДДТ – Дождь"), options=["--meta-encoding", "windows-1251"])
shown("quotes and semicolons inside a title", ("Ann - It's; ' ; OK", "Ann - It's; ' ; OK"), ("'Bea' - 'Two'", "'Bea' - 'Two'"),
      ("Cal - ';StreamUrl", "Cal - ';StreamUrl"))


# 12: packed AAC in HLS, and EXTINF

def packed(name, expected, before=lambda number: (), inside=None, title="", seconds=14, kind="aac"):
    """Registers a station of packed segments. `before`: tags after the timestamp's tag; `inside`: a tag in the middle
    of the segment; `title`: EXTINF's text."""
    def play(run):
        parts = run.material.segments(kind, 4.0)
        station = LiveList(parts, 4.0, name="s{}." + kind, ahead=8)

        def answer(request):
            if request.path == "/list.m3u8":
                return request.answer(station.text(title=title), HLS)
            number = int(request.path[2:].split(".")[0])
            data = station.packet(request.path)
            head = len(data) - len(parts[number][0])
            sound = parts[number][0]
            if inside:
                frames_ = span(run.material.frames(kind), number * 4, number * 4 + 2)
                cut = len(b"".join(frame for frame, _ in frames_))
                sound = sound[:cut] + inside(number) + sound[cut:]
            return request.answer(data[:head] + b"".join(before(number)) + sound, "audio/aac")

        heard = run.play(run.serve(answer).url("/list.m3u8"), seconds=seconds)
        run.want_sound(heard, seconds)
        begin = heard.pieces[0].begin if heard.pieces else 0
        # `at` counts from the start of the server's list.
        zero = heard.names("metadataChanged")[0]["at"] if heard.count("metadataChanged") else 0
        wanted = [(text, at - begin) for text, at in expected(begin, seconds)]
        want_titles(run, heard, [(text, zero + at - max(0, wanted[0][1])) for text, at in wanted])
    return member(12, name, f"{seconds} s, titles at their seconds")(play)


def want_titles(run, heard, expected, slack=0.4):
    """Wants these titles at these seconds of the recording."""
    found = [(entry["title"], entry["at"]) for entry in heard.names("metadataChanged") if entry["title"]]
    good = len(found) == len(expected) and all(
        one[0] == other[0] and abs(one[1] - max(0, other[1])) < slack for one, other in zip(found, expected))
    run.want(good, f"titles {found} instead of {expected}")


def each_segment(form, offset=0.0):
    """Returns the expected titles if each segment of 4 s has its own."""
    def expected(begin, seconds):
        first = int((begin + 0.2 - offset) // 4)
        return [(form.format(number), number * 4 + offset) for number in range(max(first, 0), PROGRAMME)
                if number * 4 + offset < begin + seconds - 0.5 and (number + 1) * 4 + offset > begin + 0.2
                and (number * 4 + offset >= begin - 0.2 or offset == 0)]
    return expected


packed("a title in the second tag of each segment", each_segment("Ann - Song {}"),
       lambda number: [id3(text_frame("TIT2", f"Song {number}"), text_frame("TPE1", "Ann"))])
packed("a title in the third tag, after an empty one", each_segment("Song {}"),
       lambda number: [id3(("PRIV", b"x\0y")), id3(text_frame("TIT2", f"Song {number}"))])
packed("a tag of version 2.3 in UTF-16", each_segment("Žluťoučký {}"), lambda number: [
    (lambda body: b"ID3\3\0\0" + bytes([0, 0, len(body) + 10 >> 7, len(body) + 10 & 127]) + b"TIT2" +
     struct.pack(">I", len(body)) + b"\0\0" + body)(b"\1" + f"Žluťoučký {number}".encode("utf-16"))])
packed("a title in the middle of each segment", each_segment("Mid {}", 2.0),
       inside=lambda number: id3(text_frame("TIT2", f"Mid {number}")), seconds=13)
packed("the same title in each segment", lambda begin, seconds: [("Ann - One", begin)],
       lambda number: [id3(text_frame("TIT2", "One"), text_frame("TPE1", "Ann"))])
packed("EXTINF:4,no desc", lambda begin, seconds: [], title="no desc")
packed("EXTINF with a dash, undefined and a space", lambda begin, seconds: [],
       title=lambda number: ("-", "undefined", " ", "No Title")[number % 4])
packed("EXTINF with attributes and references", each_segment("Bea & Co - Song {}"),
       title=lambda number: f'title="Song {number}",artist="Bea &amp; Co",url="song_spot=\\"M\\""')
packed("EXTINF and a tag with the same title", each_segment("Ann - Song {}"),
       lambda number: [id3(text_frame("TIT2", f"Song {number}"), text_frame("TPE1", "Ann"))],
       title=lambda number: f'text="Ann - Song {number}" song_spot="M"')
packed("packed MP3 with a title in the second tag", each_segment("Song {}"),
       lambda number: [id3(text_frame("TIT2", f"Song {number}"))], kind="mp3")


# 13: order and age

def timed(run, changes, metaint=1_000, first=None):
    """Returns ICY titles that change at seconds of the programme, for a stream that starts at second `first`."""
    def titles(number):
        second = (first or 0) + (number + 1) * metaint / 8_000
        text = [text for at, text in changes if at <= second]
        return f"StreamTitle='{text[-1]}';" if text else ""
    return titles


CHANGES = [(0, "Ann - One"), (23, "Bea - Two"), (26, "Cal - Three"), (33, "Dee - Four")]


def live(run, request, start, end=PROGRAMME, titles=None, metaint=1_000, burst=4.0):
    request.head("200 OK", f"Content-Type: {MP3}", f"icy-metaint: {metaint}")
    blocks = paced(span(run.material.frames("mp3"), start, end), burst)
    return request.stream(with_titles(blocks, metaint, titles or timed(run, CHANGES, metaint, start)))


def expected_titles(heard, changes, seconds):
    begin = heard.pieces[0].begin if heard.pieces else 0
    found = [(text, at - begin) for at, text in changes if at < begin + seconds]
    early = [entry for entry in found if entry[1] <= 0.1]
    return early[-1:] + [entry for entry in found if entry[1] > 0.1]


@member(13, "titles begin with their audio, also within the burst", "16 s, each title at its second")
def with_audio(run):
    heard = run.play(run.serve(lambda request: live(run, request, 20)).url("/live"), seconds=16)
    run.want_sound(heard, 16)
    want_titles(run, heard, expected_titles(heard, CHANGES, 16))


@member(13, "a reconnect repeats the title of the buffered audio", "20 s, each title once, at its second")
def repeated_after_loss(run):
    began = time.monotonic()

    def answer(request):
        if len(server.requests) == 1:
            live(run, request, 20, 30)
            return request.reset()
        return live(run, request, max(20, 24 + time.monotonic() - began - 6), burst=6.0)

    server = run.serve(answer)
    heard = run.play(server.url("/live"), seconds=20)
    run.want_sound(heard, 20)
    want_titles(run, heard, expected_titles(heard, CHANGES, 20))


@member(13, "after a reconnect the first block names the newest title, ahead of the burst", "20 s, titles in order")
def newest_first(run):
    began = time.monotonic()

    def answer(request):
        if len(server.requests) == 1:
            live(run, request, 20, 30)
            return request.reset()
        now = 24 + time.monotonic() - began
        start = max(20, now - 6)
        normal = timed(run, CHANGES, 1_000, start)
        newest = timed(run, CHANGES, 1_000, now)(0)
        return live(run, request, start, titles=lambda number: newest if number < 3 else normal(number), burst=6.0)

    server = run.serve(answer)
    heard = run.play(server.url("/live"), seconds=20)
    run.want_sound(heard, 20)
    run.want([title for title in heard.titles if title] == [text for _, text in CHANGES], f"titles {heard.titles}")


@member(13, "Icecast keeps the artist of the title before", "8 s; the text as sent, in order")
def kept_artist(run):
    changes = [(0, "Ann - One"), (22, "Ann - The news"), (24, "Ann - Bea - Two")]
    answer = lambda request: live(run, request, 20, titles=timed(run, changes, 1_000, 20))
    heard = run.play(run.serve(answer).url("/live"), seconds=8)
    run.want_sound(heard, 8)
    want_titles(run, heard, expected_titles(heard, changes, 8))


@member(13, "each block repeats its title", "10 s, one event")
def repeated_blocks(run):
    def answer(request):
        request.head("200 OK", f"Content-Type: {MP3}", "icy-metaint: 1000")
        blocks = paced(span(run.material.frames("mp3"), 20, PROGRAMME), 4.0)
        return request.stream(with_titles(blocks, 1_000, lambda number: "StreamTitle='Ann - One';", repeats=True))

    heard = run.play(run.serve(answer).url("/live"), seconds=10)
    run.want_sound(heard, 10)
    run.want(heard.titles == ["Ann - One"], f"titles {heard.titles}")


def chain(name, links, expected, icy=None):
    """Registers a chain of Ogg links of 4 s, each with its comments."""
    def play(run):
        data, borders = b"", []
        for index, tags in enumerate(links):
            words = [word for tag in tags for word in ("-metadata", tag)]
            data += run.material.ffmpeg(f"{name.replace(' ', '-')}-{index}.ogg", *VORBIS[:-2], *words, "-f", "ogg",
                                        start=index * 4, seconds=4).read_bytes()

            borders.append(len(data))

        def titles(number):
            place = (number + 1) * 2_000
            return f"StreamTitle='{icy[sum(place >= border for border in borders[:len(icy) - 1])]}';"

        def answer(request):
            fields = ["icy-metaint: 2000"] if icy else []
            request.head("200 OK", "Content-Type: application/ogg", "icy-name: Ogg", *fields)
            blocks = paced(evenly(data, 4 * len(links)), 3.0)
            request.stream(with_titles(blocks, 2_000, titles) if icy else blocks)
            return time.sleep(10)

        seconds = 4 * len(links) - 1
        heard = run.play(run.serve(answer).url("/ogg"), seconds=seconds)
        run.want_sound(heard, seconds)
        want_titles(run, heard, expected)
    member(13, name, str([text for text, _ in expected]))(play)


chain("the container's titles win over ICY's of the same moments", [["title=One", "artist=Ann"], ["title=Two", "artist=Bea"]],
      [("Ann - One", 0), ("Bea - Two", 4)],
      ["Ann - One", "bea two"])
chain("a link whose comments keep the artist of the link before", [["title=One", "artist=Ann"], ["title=The news", "artist=Ann"]],
      [("Ann - One", 0), ("Ann - The news", 4)])
chain("a link without comments between two songs", [["title=One", "artist=Ann"], [], ["title=Two", "artist=Bea"]],
      [("Ann - One", 0), ("Bea - Two", 8)])
chain("two artists in one link, and a title in another case", [["TITLE=One", "ARTIST=Ann", "Version=Live"], ["title=One", "artist=Ann"]],
      [("Ann - One", 0)])
