#!/usr/bin/env python3
"""Measures the structure of the sources: knots, inits, folders, empty lines, tuples, code lines and forwards.

figures.py [--list] [ROOT]

ROOT: a clone, this one by default; only files tracked by git count. `--list` adds the place of each finding.
`StructureTests` has the same rules.
"""
import collections
import os
import pathlib
import re
import subprocess
import sys

ATTRIBUTE = r"@\w+(?:\([^)]*\))?"
MODIFIERS = rf"(?:(?:{ATTRIBUTE}|[a-z]+(?:\([a-z]+\))?)[ \t]+)*"
FUNCTION = re.compile(rf"[ \t]*{MODIFIERS}func[ \t]")
TYPE = re.compile(rf"^({MODIFIERS})(?:class|struct|enum|protocol|actor)[ \t]+(\w+)", re.M)
NESTED = re.compile(r"\b(?:class|struct|enum|protocol|actor|typealias)[ \t]+(\w+)")
NAME = re.compile(r"(?<![.\w])[A-Z]\w+\b")


def blanked(text):
    """-> the text with comments and literals replaced by spaces; interpolated expressions stay"""
    out, at = [], 0

    def skip(count):
        nonlocal at
        out.extend("\n" if letter == "\n" else " " for letter in text[at:at + count])
        at += count

    def literal(quote):
        skip(len(quote))
        while at < len(text) and not text.startswith(quote, at):
            if text.startswith("\\(", at):
                skip(2)
                code(")")
                skip(1)
            else:
                skip(2 if text[at] == "\\" else 1)
        skip(len(quote))

    def to(end):
        found = text.find(end, at)
        skip((len(text) if found < 0 else found) - at)

    def code(close):
        nonlocal at
        depth = 0
        while at < len(text):
            if text.startswith("//", at):
                to("\n")
            elif text.startswith("/*", at):
                to("*/")
                skip(2)
            elif text.startswith('#"', at):
                skip(2)
                to('"#')
                skip(2)
            elif text[at] == '"':
                literal('"""' if text.startswith('"""', at) else '"')
            elif text[at] == close and depth == 0:
                return
            else:
                depth += {"(": 1, ")": -1}.get(text[at], 0)
                out.append(text[at])
                at += 1

    code(None)
    return "".join(out)


class Source:
    def __init__(self, root, path):
        text = (root / path).read_text(errors="replace")
        self.path, self.code = path, blanked(text)
        self.lines = text.split("\n")
        self.code_lines = self.code.split("\n")
        parts = path.split("/")
        self.target, self.folder, self.name = parts[2], os.path.dirname(path), parts[-1].removesuffix(".swift")

    def place(self, offset):
        return f"{self.path}:{self.code.count(chr(10), 0, offset) + 1}"


def edges(sources):
    """-> for each file of a target the files whose types it names"""
    homes = {}
    for source in sources:
        for words, name in TYPE.findall(source.code):
            if "private" not in words:
                homes.setdefault(name, source.path)
    found = {}
    for source in sources:
        own = set(NESTED.findall(source.code))
        found[source.path] = {homes[name] for name in NAME.findall(source.code)
                              if name in homes and name not in own and homes[name] != source.path}
    return found


def knots(graph):
    """-> the groups of files that all reach each other, largest first (Kosaraju)"""
    order, seen = [], set()
    for start in sorted(graph):
        if start in seen:
            continue
        seen.add(start)
        stack = [(start, iter(sorted(graph[start])))]
        while stack:
            node, rest = stack[-1]
            step = next((other for other in rest if other not in seen), None)
            if step is None:
                order.append(node)
                stack.pop()
            else:
                seen.add(step)
                stack.append((step, iter(sorted(graph[step]))))
    back = collections.defaultdict(set)
    for node, others in graph.items():
        for other in others:
            back[other].add(node)
    parts, done = [], set()
    for start in reversed(order):
        part, wait = set(), [start]
        while wait:
            node = wait.pop()
            if node not in done:
                done.add(node)
                part.add(node)
                wait.extend(back[node])
        if len(part) > 1:
            parts.append(sorted(part))
    return sorted(parts, key=len, reverse=True)


def split(text):
    """-> the parts of a list between commas outside of brackets"""
    parts, depth = [""], 0
    for at, letter in enumerate(text):
        is_arrow = letter == ">" and text[at - 1:at] == "-"
        depth += 0 if is_arrow else {"(": 1, "[": 1, "{": 1, "<": 1, ")": -1, "]": -1, "}": -1, ">": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in (part.strip() for part in parts) if part]


def inside(code, at):
    """-> the text between the bracket at `at` and its closing bracket, and the place after it"""
    depth = 0
    for end in range(at, len(code)):
        depth += {"(": 1, ")": -1}.get(code[end], 0)
        if depth == 0:
            return code[at + 1:end], end + 1
    return "", len(code)


COLLABORATOR = re.compile(r":\s*(?:(?:@\w+|inout|borrowing|consuming|sending|any|some)\s+)*[A-Z]\w+")


def inits(source):
    """-> the number of collaborators of each init in a file with a class: parameters whose type is named"""
    if not re.search(r"\bclass\s+\w", source.code):
        return
    for match in re.finditer(r"\binit[?!]?(?=\()", source.code):
        text, end = inside(source.code, match.end())
        if re.match(r"[^{}\n]*\{", source.code[end:]):
            yield match.start(), sum(1 for part in split(text) if COLLABORATOR.search(part))


def tight(source):
    """-> the lines of functions directly after the end of another member"""
    for at, line in enumerate(source.code_lines):
        if not FUNCTION.match(line):
            continue
        above = at - 1
        # Comments and attributes belong to the function.
        while above >= 0 and (source.lines[above].lstrip().startswith("//")
                              or re.fullmatch(rf"\s*(?:{ATTRIBUTE}\s*)+", source.code_lines[above])):
            above -= 1
        if above >= 0 and source.code_lines[above].rstrip().endswith("}"):
            yield at + 1


def tuples(source):
    """-> the number of values of each tuple that is assigned; a constant with a function's result is no such tuple"""
    for match in re.finditer(r"(?:^|[;{])[ \t]*((?:let|var)[ \t]+)?(?=\()", source.code, re.M):
        text, end = inside(source.code, match.end())
        if re.match(r"\s*=\s*\(" if match[1] else r"\s*=(?!=)", source.code[end:end + 200]):
            yield match.end(), len(split(text))


# A function or a property whose whole body, in the same line, names a member of something else.
MEMBER = r"(?:self\.)?[a-z]\w*(?:\??\.\w+)+"
FORWARDS = {
    "functions that only call another": re.compile(
        rf"^[ \t]*{MODIFIERS}func[ \t][^{{}}\n]*\{{[ \t]*(?:try[ \t]+)?{MEMBER}\([^(){{}}\n]*\)[ \t]*\}}[ \t]*$", re.M),
    "properties that only name another": re.compile(
        rf"^[ \t]*{MODIFIERS}var[ \t]+\w+:[^={{}}\n]*\{{[ \t]*{MEMBER}[ \t]*\}}[ \t]*$", re.M),
}


def main():
    words = [word for word in sys.argv[1:] if word != "--list"]
    root = pathlib.Path(words[0] if words else pathlib.Path(__file__).resolve().parents[3])
    listing = ["git", "-C", root, "ls-files", "Sources/*.swift"]
    paths = subprocess.run(listing, capture_output=True, text=True, check=True)
    sources = [Source(root, path) for path in paths.stdout.split() if (root / path).exists()]
    lists = "--list" in sys.argv

    def show(what, found):
        print(f"{what}: {len(found)}")
        if lists:
            print("".join(f"  {line}\n" for line in found), end="")

    targets = collections.defaultdict(list)
    for source in sources:
        targets[source.target].append(source)
    largest = 0
    for target in sorted(targets):
        parts = knots(edges(targets[target]))
        if parts:
            largest = max(largest, len(parts[0]))
        for part in parts if lists else parts[:1]:
            if len(part) > 2:
                names = " ".join(os.path.basename(path).removesuffix(".swift") for path in part)
                print(f"knot of {len(part):>2} files in {target}: {names}")
    print(f"largest knot: {largest}")
    every = [(count, f"{source.place(at)}: {count}") for source in sources for at, count in inits(source)]
    print(f"collaborators of an init at most: {max(count for count, _ in every)}")
    show("inits with more than six collaborators", [text for count, text in every if count > 6])
    folders = collections.Counter(source.folder for source in sources)
    print(f"Swift files in a folder at most: {max(folders.values())}")
    show("folders with more than 25 Swift files", [f"{name}: {n}" for name, n in folders.items() if n > 25])
    show("functions without an empty line before them",
         [f"{source.path}:{line}" for source in sources for line in tight(source)])
    every = [(count, f"{source.place(at)}: {count}") for source in sources for at, count in tuples(source)]
    print(f"tuple assignments: {len(every)}")
    show("tuple assignments of more than three values", [text for count, text in every if count > 3])
    lines = {source.path: sum(1 for line in source.lines if line.strip() and not line.lstrip().startswith("//"))
             for source in sources}
    print(f"files: {len(sources)}, code lines (no blanks, no comments): {sum(lines.values())}")
    for what, pattern in FORWARDS.items():
        show(f"one-line forwards, {what}",
             [source.place(match.start()) for source in sources for match in pattern.finditer(source.code)])


if __name__ == "__main__":
    main()
