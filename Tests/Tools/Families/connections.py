"""Cookies, sessions, redirects, sloppy HTTP, and stations with one connection for each listener."""
from kit import HLS, LiveList, master, member, paced


def live(run, request, *fields, begin=0, burst=4.0, name="mp3", kind="audio/mpeg"):
    """Answers as a live station that sends the programme from a second on."""
    request.head("200 OK", f"Content-Type: {kind}", "icy-name: Families", *fields)
    request.stream(paced(skip(run.material.frames(name), begin), burst))


def skip(parts, begin):
    at = 0.0
    for frame, duration in parts:
        if at >= begin:
            yield frame, duration
        at += duration


# 1: cookies

@member(1, "a redirect sets a cookie without a Path for its own folder", "10 s, the stream has the cookie")
def cookie_of_redirect(run):
    def answer(request):
        if request.path == "/radio/start":
            return request.redirect("/radio/live/mount", "Set-Cookie: ticket=7f; HttpOnly")
        if request["cookie"] != "ticket=7f":
            return request.refuse()
        return live(run, request)

    server = run.serve(answer)
    run.want_sound(run.play(server.url("/radio/start")), 10)
