"""Manual pages in the macros of man(7), from plain text, command lines and a subset of Markdown."""

import re

SPECIAL = {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti"}
# Marks in a text: a word in back quotes or two stars, a link, an option, another page.
MARKS = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\([^)]*\)|(?<![\w-])(--[a-z][\w-]*)|\b([a-z][\w.-]*\(\d\))")


def plain(text):
    """Escapes a text for troff."""
    return "".join(SPECIAL.get(character, character) for character in text)


def words(text):
    """Escapes a sentence; options, other pages and words in back quotes become bold."""
    done, end = [], 0
    for match in MARKS.finditer(text):
        done.append(plain(text[end:match.start()]))
        code, strong, link, option, page = match.groups()
        done.append(words(link) if link else f"\\fB{plain(code or strong or option or page)}\\fR")
        end = match.end()
    done.append(plain(text[end:]))
    return "".join(done)


def line(text):
    """Protects a line that troff would interpret as a request."""
    return "\\&" + text if text[:1] in (".", "'") else text


class Page:
    """A manual page: sections, paragraphs, lists and examples in the order of the calls."""

    def __init__(self, name, section, summary, date, source):
        self.name, self.section, self.summary = name, section, summary
        self.rows = [f'.TH {name.upper()} {section} {date} "{source}" "Bakelite"', ".nh"]
        self.heading("NAME")
        self.rows.append(f"{plain(name)} \\- {plain(summary)}")

    @property
    def text(self):
        return "\n".join(self.rows) + "\n"

    def heading(self, title, level="SH"):
        self.rows.append(f'.{level} "{plain(title)}"')

    def paragraph(self, text):
        self.rows += [".PP", line(words(" ".join(text.split())))]

    def roff(self, text):
        """Adds a paragraph that is already in roff."""
        self.rows += [".PP", line(text)]

    def item(self, term, text, is_roff=False):
        self.rows += [".TP", line(term if is_roff else f"\\fB{plain(term)}\\fR")]
        if text:
            self.rows.append(line(words(" ".join(text.split()))))

    def bullet(self, text):
        self.rows += [".IP \\(bu 2", line(words(" ".join(text.split())))]

    def example(self, lines):
        self.rows += [".PP", ".in +4n", ".EX", *[line(plain(text)) for text in lines], ".EE", ".in"]

    def synopsis(self, lines):
        self.heading("SYNOPSIS")
        for number, text in enumerate(lines):
            self.rows += ([".br"] if number else []) + [text]

    def prose(self, text):
        """Adds paragraphs, separated by empty lines. Indented rows are a list: term, two spaces, description."""
        for block in re.split(r"\n[ \t]*\n", text.strip("\n")):
            lines = [text.rstrip() for text in block.split("\n")]
            if all(text.startswith("  ") for text in lines):
                self.rows_of(lines)
            elif any(re.search(r"\S {3,}\S", text) for text in lines):
                self.example(lines)
            else:
                self.paragraph(block)

    def rows_of(self, lines):
        rows, indent = [], min(len(text) - len(text.lstrip()) for text in lines)
        for text in lines:
            body = text[indent:]
            if body.startswith(" ") and rows:
                rows[-1][1] += " " + body.strip()
            else:
                term, _, rest = body.partition("  ")
                rows.append([term, rest.strip()])
        for term, rest in rows:
            self.item(term, rest)

    def markdown(self, text):
        """Adds paragraphs, lists with "-", and code between fences."""
        for number, part in enumerate(re.split(r"^```.*$\n?", text, flags=re.M)):
            if number % 2:
                self.example(part.rstrip("\n").split("\n"))
                continue
            for block in re.split(r"\n[ \t]*\n", part.strip("\n")):
                items = re.split(r"^- ", block, flags=re.M)
                if items[0].strip():
                    self.paragraph(items[0])
                for item in items[1:]:
                    self.bullet(item)
