"""Cookies, sessions, redirects, sloppy HTTP, stations with one connection for each listener, and ends without a
length."""
import threading
import time

from kit import HLS, PROGRAMME, LiveList, master, member, paced, span, with_titles

MP3 = "audio/mpeg"


class Broadcast:
    """A live programme. Each listener gets the last seconds at once, and the rest in real time."""

    def __init__(self, run, name="mp3", burst=4.0, start=20.0):
        self.parts, self.burst, self.start, self.began = run.material.frames(name), burst, start, time.monotonic()

    @property
    def now(self):
        return self.start + time.monotonic() - self.began

    def blocks(self, late=0.0, until=PROGRAMME, burst=None):
        """Yields audio from the live position minus the burst; `late`: seconds behind the other servers."""
        burst = self.burst if burst is None else burst
        return paced(span(self.parts, self.now - burst - late, until), burst)

    def answer(self, request, *fields, late=0.0, seconds=PROGRAMME, status="200 OK"):
        request.head(status, f"Content-Type: {MP3}", "icy-name: Families", *fields)
        request.stream(self.blocks(late, min(PROGRAMME, self.now - late + seconds)))


# 1: cookies

@member(1, "a redirect sets a cookie without a Path, for its own folder", "8 s; the stream has the cookie")
def cookie_of_redirect(run):
    station = Broadcast(run)

    def answer(request):
        if request.path == "/radio/start":
            return request.redirect("/radio/live/mount", "Set-Cookie: ticket=7f; HttpOnly")
        return station.answer(request) if request["cookie"] == "ticket=7f" else request.refuse()

    run.want_sound(run.play(run.serve(answer).url("/radio/start"), seconds=8), 8)


@member(1, "a cookie without a Path stays in its folder", "8 s; the stream has no cookie")
def cookie_outside_folder(run):
    station = Broadcast(run)

    def answer(request):
        if request.path == "/radio/start":
            return request.redirect("/other/mount", "Set-Cookie: ticket=7f", "Set-Cookie: a=1; Path=/radio")
        return request.refuse() if request["cookie"] else station.answer(request)

    run.want_sound(run.play(run.serve(answer).url("/radio/start"), seconds=8), 8)


@member(1, "an M3U list sets a cookie that its stream needs", "8 s")
def cookie_of_list(run):
    station = Broadcast(run)

    def answer(request):
        if request.path == "/listen.m3u":
            return request.answer("#EXTM3U\n/mount\n", "audio/x-mpegurl", "Set-Cookie: s=a=b; Path=/; SameSite=Lax")
        return station.answer(request) if request["cookie"] == "s=a=b" else request.refuse()

    run.want_sound(run.play(run.serve(answer).url("/listen.m3u"), seconds=8), 8)


@member(1, "each media list renews the cookie that segments need", "14 s")
def cookie_renewed(run):
    station, valid = LiveList(run.material.segments("aac", 2.0), 2.0), []

    def answer(request):
        if request.path == "/master.m3u8":
            return request.answer(master("sub/list.m3u8"), HLS, "Set-Cookie: t=0; Path=/")
        if request.path.endswith("list.m3u8"):
            if "t=" not in request["cookie"]:
                return request.refuse()
            valid.append(f"t={len(valid) + 1}")
            return request.answer(station.text(), HLS, f"Set-Cookie: {valid[-1]}; Path=/sub; Max-Age=9")
        # A segment may have been requested before the next list arrived.
        if not any(text in request["cookie"] for text in valid[-2:]):
            return request.refuse()
        return request.answer(station.packet(request.path), "audio/aac")

    run.want_sound(run.play(run.serve(answer).url("/master.m3u8"), seconds=14), 14)


@member(1, "a cookie with Domain goes to the segments of a sibling host", "8 s")
def cookie_of_domain(run):
    station = LiveList(run.material.segments("aac", 2.0), 2.0)

    def answer(request):
        if request.path == "/master.m3u8":
            return request.answer(master(server.url("/list.m3u8", "cdn.radio.localhost")), HLS,
                                  "Set-Cookie: key=1; Domain=radio.localhost; Path=/")
        if request["cookie"] != "key=1":
            return request.refuse()
        if request.path == "/list.m3u8":
            return request.answer(station.text(), HLS)
        return request.answer(station.packet(request.path), "audio/aac")

    server = run.serve(answer)
    run.want_sound(run.play(server.url("/master.m3u8", "www.radio.localhost"), seconds=8), 8)


@member(1, "a cookie never goes to another host of a redirect", "8 s; no cookie at the other host")
def cookie_of_other_host(run):
    station = Broadcast(run)

    def answer(request):
        if request.path == "/start":
            return request.redirect(server.url("/mount", "localhost"), "Set-Cookie: secret=1; Path=/",
                                    "Set-Cookie: wide=1; Path=/; Domain=localhost")
        return request.refuse() if request["cookie"] else station.answer(request)

    server = run.serve(answer)
    run.want_sound(run.play(server.url("/start"), seconds=8), 8)


@member(1, "a later redirect removes a cookie by Max-Age=0 and an old date", "8 s; no cookie")
def cookie_removed(run):
    station = Broadcast(run)

    def answer(request):
        if request.path == "/a":
            return request.redirect("/b", "Set-Cookie: x=1; Path=/", "Set-Cookie: y=1; Path=/")
        if request.path == "/b":
            if request["cookie"] not in ("x=1; y=1", "y=1; x=1"):
                return request.refuse()
            return request.redirect("/c", "Set-Cookie: x=; Path=/; Max-Age=0",
                                    "Set-Cookie: y=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT")
        return request.refuse() if request["cookie"] else station.answer(request)

    run.want_sound(run.play(run.serve(answer).url("/a"), seconds=8), 8)


@member(1, "200 cookies of a redirect are bounded", "8 s; at most 32 cookies, 8 KiB")
def cookies_flood(run):
    station, sent = Broadcast(run), []

    def answer(request):
        if request.path == "/start":
            return request.redirect("/mount", *(f"Set-Cookie: c{n}={'v' * 900}; Path=/" for n in range(200)))
        sent.append(request["cookie"])
        return station.answer(request)

    run.want_sound(run.play(run.serve(answer).url("/start"), seconds=8), 8)
    run.want(all(cookies.count("=") <= 32 for cookies in sent), f"{sent[0].count('=')} cookies" if sent else "no request")


@member(1, "a reconnect sends the cookie of the first redirect", "14 s, one stitch")
def cookie_after_loss(run):
    station, lost = Broadcast(run, burst=6.0), []

    def answer(request):
        if request.path == "/start":
            return request.redirect("/mount", "Set-Cookie: ticket=7f; Path=/")
        if request["cookie"] != "ticket=7f":
            return request.refuse()
        if not lost:
            lost.append(1)
            station.answer(request, seconds=4)
            return request.reset()
        return station.answer(request)

    run.want_sound(run.play(run.serve(answer).url("/start"), seconds=14), 14)
    run.want(run.heard[0].summary.get("stitches") == 1, f"stitches: {run.heard[0].summary.get('stitches')}")


@member(1, "the listener's own cookie and the server's go together", "8 s")
def cookie_of_listener(run):
    station = Broadcast(run)

    def answer(request):
        if request.path == "/start":
            return request.redirect("/mount", "Set-Cookie: ticket=7f; Path=/")
        good = "member=9" in request["cookie"] and "ticket=7f" in request["cookie"]
        return station.answer(request) if good else request.refuse()

    run.want_sound(run.play(run.serve(answer).url("/start"), seconds=8, options=["--header", "Cookie: member=9"]), 8)


# 2: sessions of HLS

class Sessions:
    """A master list that issues sessions, each valid for some seconds."""

    def __init__(self, run, target, life, status, refuses="list segment", listed=6, name="aac"):
        self.station = LiveList(run.material.segments(name, float(target)), float(target), listed=listed)
        self.life, self.status, self.refuses, self.sessions = life, status, refuses, []

    def is_over(self, path, part):
        began = self.sessions[int(path.split("/")[1])]
        return part in self.refuses and time.monotonic() - began > self.life

    def answer(self, request):
        if request.path == "/master.m3u8":
            self.sessions.append(time.monotonic())
            return request.answer(master(f"/{len(self.sessions) - 1}/list.m3u8"), HLS)
        part = "list" if request.path.endswith("list.m3u8") else "segment"
        if self.is_over(request.path, part):
            return request.refuse(self.status)
        if part == "list":
            return request.answer(self.text(request), HLS)
        return request.answer(self.station.packet(request.path), "audio/aac")

    def text(self, request):
        return self.station.text()


def session_member(target, life, status, seconds, **more):
    def play(run):
        sessions = Sessions(run, target, life, status, **more)
        heard = run.play(run.serve(sessions.answer).url("/master.m3u8"), seconds=seconds)
        run.want_sound(heard, seconds)
        run.want(len(sessions.sessions) >= 2, f"{len(sessions.sessions)} sessions")
        run.note(f"{len(sessions.sessions)} sessions")
        run.want(len(sessions.sessions) <= seconds / life + 2, f"{len(sessions.sessions)} sessions are too many")
    return play


member(2, "target 2 s, 410 for list and segments after 7 s", "24 s")(session_member(2, 7, "410 Gone", 24))
member(2, "target 4 s, 403 for segments only after 9 s", "26 s")(
    session_member(4, 9, "403 Forbidden", 26, refuses="segment"))
member(2, "target 10 s, 404 for the list only after 12 s", "40 s")(
    session_member(10, 12, "404 Not Found", 40, refuses="list"))
member(2, "target 6 s, three listed segments, 410 after 8 s", "30 s")(session_member(6, 8, "410 Gone", 30, listed=3))
member(2, "target 2 s, sessions of 3 s", "20 s")(session_member(2, 3, "403 Forbidden", 20))


@member(2, "each session counts its segments from 1 and dates them", "26 s")
def sessions_with_own_numbers(run):
    class Numbered(Sessions):
        def text(self, request):
            number = int(request.path.split("/")[1])
            end, first = self.station.end, max(0, self.station.end - 6)
            origin = getattr(self, "origin", {}).setdefault(number, first)
            lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:4", f"#EXT-X-MEDIA-SEQUENCE:{first - origin + 1}"]
            for index in range(first, end):
                minute, second = divmod(index * 4, 60)
                lines += [f"#EXT-X-PROGRAM-DATE-TIME:2026-11-29T10:{minute:02}:{second:02}.000Z", "#EXTINF:4.0,",
                          f"s{index}.aac"]
            return "\n".join(lines) + "\n"

    sessions = Numbered(run, 4, 9, "410 Gone")
    sessions.origin = {}
    run.want_sound(run.play(run.serve(sessions.answer).url("/master.m3u8"), seconds=26), 26)
    run.want(len(sessions.sessions) >= 2, f"{len(sessions.sessions)} sessions")


@member(2, "the master redirects to an address with the session", "26 s; the given address is asked again")
def session_by_redirect(run):
    sessions = Sessions(run, 4, 9, "403 Forbidden")

    def answer(request):
        if request.path == "/play":
            sessions.sessions.append(time.monotonic())
            return request.redirect(f"/{len(sessions.sessions) - 1}/index.m3u8")
        if request.path.endswith("index.m3u8"):
            return request.refuse() if sessions.is_over(request.path, "list") else request.answer(master("list.m3u8"), HLS)
        return sessions.answer(request)

    run.want_sound(run.play(run.serve(answer).url("/play"), seconds=26), 26)
    run.want(len(sessions.sessions) >= 2, f"{len(sessions.sessions)} sessions")


@member(2, "the master answers 503 once when a session is over", "26 s")
def session_with_busy_master(run):
    sessions, refused = Sessions(run, 4, 9, "410 Gone"), []

    def answer(request):
        if request.path == "/master.m3u8" and sessions.sessions and not refused:
            refused.append(1)
            return request.refuse("503 Service Unavailable")
        return sessions.answer(request)

    run.want_sound(run.play(run.serve(answer).url("/master.m3u8"), seconds=26), 26)


# 3: redirects of files, and live redirects

class Host:
    """A podcast host. `/episode` redirects each visit to a version of the file; the first download breaks."""

    def __init__(self, run, versions, breaks_at=150_000, expires=False, fields=None):
        self.versions, self.breaks_at, self.expires, self.visits, self.broken = versions, breaks_at, expires, 0, set()
        self.fields = fields or (lambda number: [f'ETag: "v{number}"'])
        run.server = run.serve(self.answer)

    def answer(self, request):
        if request.path == "/episode":
            self.visits += 1
            return request.redirect(f"/v/{self.visits}.mp3?sig=1")
        number = int(request.path.split("/")[2].removesuffix(".mp3"))
        body = self.versions[min(number, len(self.versions)) - 1]
        if self.expires and number in self.broken:
            return request.refuse("403 Forbidden")
        if self.breaks_at and not self.broken:
            self.broken.add(number)
            request.head("200 OK", f"Content-Type: {MP3}", f"Content-Length: {len(body)}", "Accept-Ranges: bytes",
                         *self.fields(number))
            request.send(body[:self.breaks_at])
            # A reset discards unread data.
            time.sleep(1)
            return request.reset()
        part = self.fields(number)
        asked = request["if-range"]
        matches = not asked or any(asked in field for field in part)
        return request.file(body, MP3, *part, ranges=matches)


def episode(run, begin=0, end=50):
    return run.material.sound("mp3", begin, end)


def advert(run, seconds):
    return run.material.sound("mp3", 90, 90 + seconds)


@member(3, "a new version for each visit; the target stays valid", "advert, episode, whole")
def target_stays(run):
    host = Host(run, [advert(run, 5) + episode(run), advert(run, 9) + episode(run)])
    heard = run.play(run.server.url("/episode"), seconds=80, free=True)
    want_episode(run, heard, 5, 50)
    run.want(host.visits == 1, f"{host.visits} visits of the first address")


def want_episode(run, heard, seconds, end, slack=0.3, most=0.3):
    """Wants an advert of some seconds, then the whole episode without more than `most` seconds lost or twice."""
    pieces = [piece for piece in heard.pieces if piece.begin < 85]
    run.want(pieces and pieces[0].begin < slack and abs(pieces[-1].end - end) < slack, f"heard {heard}")
    for before, after in zip(pieces, pieces[1:]):
        run.want(abs(after.begin - before.end) <= most, f"jump from {before.end:.1f} to {after.begin:.1f}")
    first = heard.pieces[0] if heard.pieces else None
    run.want(first and abs(first.end - 90 - seconds) < slack, f"heard {heard}")
    run.want(heard.code == 0, f"exit code {heard.code}: {heard.last_message[:200]}")
    run.want(heard.count("fileComplete") <= 1, f"{heard.count('fileComplete')} times complete")


@member(3, "the signed address expires; the next visit has the same file", "advert, episode, whole")
def target_expires(run):
    body = advert(run, 5) + episode(run)
    Host(run, [body, body], expires=True, fields=lambda number: ['ETag: "same"'])
    want_episode(run, run.play(run.server.url("/episode"), seconds=80, free=True), 5, 50)


@member(3, "the signed address expires; a longer advert is in the next version", "advert, episode, whole")
def target_expires_with_longer(run):
    Host(run, [advert(run, 5) + episode(run), advert(run, 12) + episode(run)], expires=True)
    want_episode(run, run.play(run.server.url("/episode"), seconds=80, free=True), 5, 50)


@member(3, "the signed address expires; the next version has no advert, and only a date", "advert, episode, whole")
def target_expires_with_shorter(run):
    Host(run, [advert(run, 8) + episode(run), episode(run)], expires=True,
         fields=lambda number: [f"Last-Modified: Sun, 29 Nov 2026 10:00:{number:02} GMT"])
    want_episode(run, run.play(run.server.url("/episode"), seconds=80, free=True), 8, 50)


@member(3, "the same address, no validator, another length after the break", "advert, episode, whole")
def no_validator(run):
    versions = [advert(run, 5) + episode(run), advert(run, 12) + episode(run)]
    visits = []

    def answer(request):
        visits.append(1)
        if len(visits) > 1:
            return request.file(versions[1], MP3)
        request.head("200 OK", f"Content-Type: {MP3}", f"Content-Length: {len(versions[0])}", "Accept-Ranges: bytes")
        request.send(versions[0][:150_000])
        return time.sleep(0.5) or request.reset()

    want_episode(run, run.play(run.serve(answer).url("/ep.mp3"), seconds=80, free=True), 5, 50)


@member(3, "a re-encoded version after the break", "goes on within 1 s of the same time, to the end")
def encoded_anew(run):
    other = run.material.lame("mp3-80", "-t", "--cbr", "-b", "80").read_bytes()
    Host(run, [episode(run, 0, 60), other[:600_000]], expires=True)
    heard = run.play(run.server.url("/episode"), seconds=90, free=True)
    run.want(heard.pieces and heard.pieces[-1].end > 59.5, f"heard {heard}")
    run.want(all(abs(jump) < 1 for jump in heard.jumps), f"joins {heard.jumps}")
    run.want(heard.code == 0, f"exit code {heard.code}")


@member(3, "--start in a file that is stitched anew for each visit", "from 25 to 29 s of a version")
def start_in_versions(run):
    Host(run, [advert(run, 5) + episode(run), advert(run, 9) + episode(run), advert(run, 2) + episode(run)],
         breaks_at=0)
    heard = run.play(run.server.url("/episode"), seconds=8, options=["--start", 30])
    run.want_sound(heard, 8)
    run.want(heard.pieces and min(abs(heard.pieces[0].begin - second) for second in (25, 21, 28)) < 0.3,
             f"heard {heard}")


@member(3, "a live redirect to edges that are 5 s apart; the first breaks", "20 s, whole")
def edges_apart(run):
    station, visits = Broadcast(run, burst=8.0, start=30.0), []

    def answer(request):
        if request.path == "/live":
            visits.append(1)
            return request.redirect(f"/edge{len(visits)}", status="307 Temporary Redirect")
        if request.path == "/edge1" and server.count("/edge1") == 1:
            station.answer(request, seconds=5)
            return request.reset()
        return station.answer(request, late=0 if request.path == "/edge1" else 5)

    server = run.serve(answer)
    run.want_sound(run.play(server.url("/live"), seconds=20), 20)


@member(3, "a live redirect; the first edge is gone, the second is 4 s late", "20 s, whole")
def edge_gone(run):
    station, visits = Broadcast(run, burst=9.0, start=30.0), []

    def answer(request):
        if request.path == "/live":
            visits.append(1)
            return request.redirect(f"/edge{len(visits)}?token={len(visits)}")
        if request.path == "/edge1":
            if server.count("/edge1") > 1:
                return request.refuse("404 Not Found")
            station.answer(request, seconds=5)
            return request.reset()
        return station.answer(request, late=4)

    server = run.serve(answer)
    run.want_sound(run.play(server.url("/live"), seconds=20), 20)


# 4: redirects

def chain(run, count, status="302 Found"):
    station = Broadcast(run)

    def answer(request):
        number = int(request.path[1:])
        return request.redirect(f"/{number + 1}", status=status) if number < count else station.answer(request)
    return run.serve(answer)


@member(4, "20 redirects", "6 s")
def twenty(run):
    run.want_sound(run.play(chain(run, 20).url("/0"), seconds=6), 6)


@member(4, "21 redirects", "one sentence; at most 22 requests for each attempt")
def more_than_twenty(run):
    server = chain(run, 21)
    heard = run.play(server.url("/0"), seconds=6, limit=60)
    run.want_refusal(heard, "redirect")
    run.want(len(server.requests) <= 22, f"{len(server.requests)} requests")


@member(4, "a loop of three addresses", "one sentence; at most 6 requests")
def loop(run):
    server = run.serve(lambda request: request.redirect("/" + str((int(request.path[1:]) + 1) % 3)))
    run.want_refusal(run.play(server.url("/0"), seconds=6, limit=60), "redirect")
    run.want(len(server.requests) <= 6, f"{len(server.requests)} requests")


@member(4, "a redirect to itself that only sets a cookie", "6 s")
def loop_with_cookie(run):
    station = Broadcast(run)

    def answer(request):
        if request["cookie"] != "checked=1":
            return request.redirect(request.target, "Set-Cookie: checked=1; Path=/")
        return station.answer(request)

    run.want_sound(run.play(run.serve(answer).url("/live?x=1"), seconds=6), 6)


@member(4, "an endless chain whose query counts up", "one sentence; at most 22 requests")
def endless(run):
    server = run.serve(lambda request: request.redirect(f"/live?n={int(request.query[2:]) + 1}"))
    run.want_refusal(run.play(server.url("/live?n=0"), seconds=6, limit=60), "redirect")
    run.want(len(server.requests) <= 22, f"{len(server.requests)} requests")


@member(4, "301, 303, 307, 308 with relative addresses, a fragment and a space", "6 s")
def kinds(run):
    station = Broadcast(run)
    steps = {"/a/b/c": ("301 Moved Permanently", "../d?x=1"), "/a/d": ("303 See Other", "?y=2"),
             "/a/e": ("307 Temporary Redirect", "/f#part"), "/f": ("308 Permanent Redirect", "/the mount")}

    def answer(request):
        if request.target == "/a/d?y=2":
            return request.redirect(f"//127.0.0.1:{server.port}/a/e")
        if request.path in steps:
            return request.redirect(steps[request.path][1], status=steps[request.path][0])
        return station.answer(request) if request.path == "/the%20mount" else request.refuse("404 Not Found")

    server = run.serve(answer)
    run.want_sound(run.play(server.url("/a/b/c"), seconds=6), 6)


@member(4, "a list that names itself by way of a redirect", "one sentence; at most 12 requests")
def list_loop(run):
    def answer(request):
        if request.path == "/list.m3u":
            return request.answer("#EXTM3U\n/again\n", "audio/x-mpegurl")
        return request.redirect("/list.m3u")

    server = run.serve(answer)
    heard = run.play(server.url("/list.m3u"), seconds=6, limit=60)
    run.want_refusal(heard)
    run.want(len(server.requests) <= 12, f"{len(server.requests)} requests")


@member(4, "a redirect to a file of this machine", "one sentence, nothing is read")
def to_file(run):
    server = run.serve(lambda request: request.redirect(f"file://{run.material.folder}/programme.mp3"))
    run.want_refusal(run.play(server.url("/live"), seconds=6, limit=60))


@member(4, "segments of HLS behind three redirects each", "10 s")
def segments_behind_redirects(run):
    station = LiveList(run.material.segments("aac", 2.0), 2.0)

    def answer(request):
        if request.path == "/list.m3u8":
            return request.answer(station.text(base="/1/"), HLS)
        _, step, name = request.path.split("/")
        if step != "4":
            return request.redirect(f"/{int(step) + 1}/{name}")
        return request.answer(station.packet(request.path), "audio/aac")

    run.want_sound(run.play(run.serve(answer).url("/list.m3u8"), seconds=10), 10)


# 5: sloppy HTTP

def sloppy(name, *fields, status="200 OK", raw=None):
    """Registers a station with an odd head."""
    def play(run):
        station = Broadcast(run)

        def answer(request):
            if raw is None:
                return station.answer(request, *fields, status=status)
            request.send(raw)
            return request.stream(station.blocks())
        run.want_sound(run.play(run.serve(answer).url("/live"), seconds=6), 6)
    member(5, name, "6 s")(play)


sloppy("a line without a colon, and one that starts with it", "This station is served by Radio", ": empty name")
sloppy("Content-Length: -1 beside an icy-br of two values", "Content-Length: -1", "icy-br: 64, 64", "icy-br:")
sloppy("two values of Content-Type, and empty fields", "Content-Type: text/plain", "Server:", "icy-genre:", "icy-url:")
sloppy("Content-Length of 2^31-1 at an endless station", "Content-Length: 2147483647")
sloppy("a length above 2^64", "Content-Length: 99999999999999999999999")
sloppy("ICY 200 OK without a version", status="ICY 200 OK")
sloppy("a status without a reason", status="HTTP/1.1 200")
sloppy("HTTP/1.0 with Transfer-Encoding: identity", "Transfer-Encoding: identity", status="HTTP/1.0 200 OK")
sloppy("lines that end with LF only", raw="HTTP/1.0 200 OK\nContent-Type: audio/mpeg\nicy-name: FM\n\n")
sloppy("ICY with LF only, and two lines of notice", raw="ICY 200 OK\nicy-notice1:<BR>This stream requires<BR>\n"
       "icy-notice2:SHOUTcast\nicy-name:FM\ncontent-type:audio/mpeg\n\n")
sloppy("a space before the colon, and tabs", raw="HTTP/1.1 200 OK\r\nContent-Type : audio/mpeg\r\nicy-name\t:\tFM\r\n\r\n")
sloppy("a folded line", raw="HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nicy-description: one\r\n  two\r\n\r\n")
sloppy("Latin-1 and NUL bytes in values",
       raw=b"HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nicy-name: Caf\xe9 \x00 FM\r\nicy-\xe9: x\r\n\r\n")
sloppy("Content-Type: text/html at a station", raw="HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n")
sloppy("a lower-case protocol", raw="http/1.1 200 ok\r\ncontent-type:audio/mpeg\r\n\r\n")
sloppy("two values of Transfer-Encoding without chunks", "Transfer-Encoding:", "Content-Encoding: identity")


@member(5, "ICY 401 Service Unavailable twice, then a free place", "6 s; retried without a question for a password")
def full_twice(run):
    station = Broadcast(run)

    def answer(request):
        if len(server.requests) <= 2:
            request.send("ICY 401 Service Unavailable\r\nicy-notice1:<BR>SHOUTcast<BR>\r\n\r\n")
            return None
        return station.answer(request)

    server = run.serve(answer)
    heard = run.play(server.url("/live"), seconds=6, limit=40)
    run.want_sound(heard, 6)
    run.want("password" not in heard.messages.lower(), heard.last_message)


@member(5, "HTTP/1.0 401 Service Unavailable for ever", "one sentence: full, no password")
def full_for_ever(run):
    server = run.serve(lambda request: request.send("HTTP/1.0 401 Service Unavailable\r\n\r\n"))
    heard = run.play(server.url("/live"), seconds=6, limit=60)
    run.want(heard.code in (1, 3), f"exit code {heard.code}")
    run.want("password" not in heard.messages.lower(), heard.last_message)


def sign_in(name, answer_to):
    def play(run):
        server = run.serve(lambda request: answer_to(server, request))
        heard = run.play(server.url("/live"), seconds=6, limit=60)
        run.want(heard.code in (1, 3), f"exit code {heard.code}")
        run.want("sign" in heard.messages.lower(), f"no sign-in in {heard.last_message!r}")
        sentences = [line for line in heard.messages.replace("\r", "\n").splitlines() if "sign" in line.lower()]
        run.want(len(sentences) == 1, f"{len(sentences)} sentences: {sentences}")
        run.note(sentences[-1] if sentences else heard.last_message)
    member(5, name, "one sentence about the sign-in")(play)


LOGIN = ("<!DOCTYPE html><html><head><title>Guest Wi-Fi</title></head><body><form action='/login' method='post'>"
         "Room <input name='room'> Name <input name='name'> <button>Connect</button></form></body></html>")
sign_in("a hotel's page in place of the station", lambda server, request: request.answer(LOGIN, "text/html"))
sign_in("status 511 of RFC 6585", lambda server, request: request.answer(
    "<html><body>You need to sign in.</body></html>", "text/html", status="511 Network Authentication Required"))
sign_in("a redirect to the gateway's page", lambda server, request: request.redirect(
    server.url("/guest/s/default/?ap=1&url=http://radio/", "localhost")) if request.path == "/live"
    else request.answer(LOGIN, "text/html"))


# 6: one connection for each listener

class OneListener:
    """A station that allows one connection. `rule`: "refuse" the second, or "drop" the first."""

    def __init__(self, run, rule, burst=8.0, status="403 Forbidden"):
        self.station, self.rule, self.status, self.current = Broadcast(run, burst=burst), rule, status, None
        self.lock, self.refused, self.stall = threading.Lock(), 0, None

    def answer(self, request):
        with self.lock:
            if self.current and not self.current.is_gone:
                if self.rule == "refuse":
                    self.refused += 1
                    return request.refuse(self.status)
                self.current.connection.shutdown(2)
            self.current = request
        try:
            request.head("200 OK", f"Content-Type: {MP3}", "icy-name: One")
            for block in self.station.blocks():
                if self.stall and self.stall[0] < self.station.now - self.station.start < self.stall[1]:
                    time.sleep(max(0, self.stall[1] - (self.station.now - self.station.start)))
                request.send(block)
        finally:
            with self.lock:
                if self.current is request:
                    self.current = None


@member(6, "the second connection is refused; the first stalls for 5 s", "24 s, whole")
def second_refused(run):
    station = OneListener(run, "refuse")
    station.stall = (6, 11)
    run.want_sound(run.play(run.serve(station.answer).url("/live"), seconds=24), 24)
    run.note(f"{station.refused} refused")


@member(6, "the second is refused as ICY 401 Service Unavailable; three stalls of 4.5 s", "30 s, whole")
def second_refused_by_icy(run):
    station = OneListener(run, "refuse", burst=12.0)
    blocks = station.station.blocks

    def stalling():
        for index, block in enumerate(blocks()):
            if index in (14, 18, 22):
                time.sleep(4.5)
            yield block
    station.station.blocks = stalling
    refuse = station.answer

    def answer(request):
        if station.current and not station.current.is_gone:
            station.refused += 1
            return request.send("ICY 401 Service Unavailable\r\n\r\n")
        return refuse(request)
    run.want_sound(run.play(run.serve(answer).url("/live"), seconds=30), 30)
    run.note(f"{station.refused} refused")


@member(6, "the first is dropped when a second comes; the first stalls for 5 s", "24 s, whole")
def first_dropped(run):
    station = OneListener(run, "drop")
    station.stall = (6, 11)
    server = run.serve(station.answer)
    run.want_sound(run.play(server.url("/live"), seconds=24), 24)
    run.want(len(server.requests) <= 6, f"{len(server.requests)} requests")


@member(6, "the place is free only 4 s after the connection broke", "24 s, whole")
def place_kept(run):
    station, broken = Broadcast(run, burst=10.0), []

    def answer(request):
        if broken and time.monotonic() - broken[0] < 4:
            return request.refuse("503 Service Unavailable")
        if not broken:
            station.answer(request, seconds=5)
            broken.append(time.monotonic())
            return request.reset()
        return station.answer(request)

    run.want_sound(run.play(run.serve(answer).url("/live"), seconds=24), 24)


@member(6, "a list names one mount twice, for one listener", "12 s; no second connection while the first plays")
def listed_twice(run):
    station = OneListener(run, "refuse")

    def answer(request):
        if request.path == "/listen.pls":
            return request.answer(f"[playlist]\nNumberOfEntries=2\nFile1={server.url('/live')}\n"
                                  f"File2={server.url('/live')}\nVersion=2\n", "audio/x-scpls")
        return station.answer(request)

    server = run.serve(answer)
    run.want_sound(run.play(server.url("/listen.pls"), seconds=12), 12)
    run.want(station.refused == 0, f"{station.refused} refused")


@member(6, "the second connection waits without an answer while the first exists", "24 s, whole")
def second_waits(run):
    station = OneListener(run, "refuse")
    station.stall = (6, 11)
    answer = station.answer

    def waiting(request):
        while station.current and not station.current.is_gone and not request.is_gone:
            time.sleep(0.1)
        return None if request.is_gone else answer(request)

    run.want_sound(run.play(run.serve(waiting).url("/live"), seconds=24), 24)


# 7: an end without a length

def finite(name, expected, *, chunks=False, speed=None, metaint=0, seconds=12, again=0, type_=MP3, material="mp3",
           fields=()):
    """Registers a response without a length that ends."""
    def play(run):
        def answer(request):
            icy = [f"icy-metaint: {metaint}"] if metaint and request["icy-metadata"] else []
            request.head("200 OK", f"Content-Type: {type_}", "Connection: close", *fields, *icy,
                         *(["Transfer-Encoding: chunked"] if chunks else []))
            parts = span(run.material.frames(material), 30, 30 + seconds)
            blocks = paced(parts, 4.0, speed) if speed else iter([b"".join(frame for frame, _ in parts)])
            if icy:
                blocks = with_titles(blocks, metaint, lambda number: "StreamTitle='A - B';")
            return request.chunked(blocks) if chunks else request.stream(blocks)

        server = run.serve(answer)
        heard = run.play(server.url("/announce.mp3"), seconds=60, limit=50)
        run.want(heard.is_whole and abs(heard.total - seconds) < 0.3, f"heard {heard}, joins {heard.jumps}")
        run.want(heard.code == 0, f"exit code {heard.code}: {heard.last_message[:200]}")
        run.want(heard.wall < seconds + 20, f"over after {heard.wall:.1f} s")
        run.want(len(server.requests) <= 6, f"{len(server.requests)} requests")
    member(7, name, expected)(play)


finite("chunks, at once", "12 s, once", chunks=True)
finite("chunks in real time", "12 s, once", chunks=True, speed=1.0)
finite("chunks with ICY titles in real time", "12 s, once", chunks=True, speed=1.0, metaint=4096)
finite("until the connection closes, at once", "12 s, once")
finite("until the connection closes, 1.5 times real time", "12 s, once", speed=1.5)
finite("until the connection closes, with ICY titles and name", "12 s, once", speed=1.0, metaint=8192,
       fields=["icy-name: Speech"])
finite("an announcement of 2 s in chunks", "2 s, once", chunks=True, seconds=2)
finite("ADTS in chunks, in real time", "12 s, once", chunks=True, speed=1.0, type_="audio/aac", material="aac")


@member(7, "a live station that ends each connection cleanly after 6 s", "24 s, whole")
def clean_ends(run):
    station = Broadcast(run, burst=5.0)
    run.want_sound(run.play(run.serve(lambda request: station.answer(request, seconds=6)).url("/live"), seconds=24), 24)


@member(7, "a live station in chunks that ends each connection cleanly after 6 s", "24 s, whole")
def clean_chunks(run):
    station = Broadcast(run, burst=5.0)

    def answer(request):
        request.head("200 OK", f"Content-Type: {MP3}", "Transfer-Encoding: chunked")
        return request.chunked(station.blocks(0.0, station.now + 6))

    run.want_sound(run.play(run.serve(answer).url("/live"), seconds=24), 24)
