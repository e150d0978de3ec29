"""Parts of the plots: a document with its description, and text."""
from xml.sax.saxutils import escape


def document(width, height, title, description, parts):
    """-> a picture on white, readable also in a dark document. Screen readers read title and description."""
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        'aria-labelledby="title desc" font-family="sans-serif" font-size="14" fill="#222">',
        f'<title id="title">{escape(title)}</title>', f'<desc id="desc">{escape(description)}</desc>',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>', *parts, "</svg>", ""])


def text(x, y, words, **attributes):
    """`attributes`: with "_" for "-"."""
    more = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<text x="{x:g}" y="{y:g}"{more}>{escape(words)}</text>'


def bar(x, y, width, height, colour):
    return f'<rect x="{x:.1f}" y="{y:g}" width="{max(0, width):.1f}" height="{height:g}" fill="{colour}"/>'
