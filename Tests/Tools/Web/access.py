#!/usr/bin/env python3
"""Checks the accessibility of each view: roles and names in Chromium's tree, Tab key, contrast in pixels, 320 px.

access.py BAKELITE
"""
import base64
import io
import sys

from browser import VIEWS, Keys, Page, WebBox, check, is_able, skip, wait_for
from stage import run

try:
    from PIL import Image
except ImportError:
    Image = None

CONTROLS = {"A", "BUTTON", "INPUT", "SELECT", "SUMMARY", "TEXTAREA"}
ROLES = {"link", "button", "textbox", "searchbox", "slider", "checkbox", "switch", "combobox", "spinbutton",
         "DisclosureTriangle", "Pre", "menulistpopup", "listbox", "DateTime"}
LEAST = 4.5
# Texts and images of controls with their colours and positions.
TEXTS = """
const found = [];
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walk.nextNode(); node; node = walk.nextNode()) {
  const parent = node.parentElement;
  if (!node.data.trim() || !parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  for (const box of range.getClientRects()) {
    if (box.width < 2 || box.height < 2) continue;
    found.push([node.data.trim().slice(0, 40), getComputedStyle(parent).color,
      box.left + scrollX, box.top + scrollY, box.width, box.height]);
  }
}
for (const node of document.querySelectorAll('button svg, input, select')) {
  if (!node.checkVisibility({ opacityProperty: true }) || ['range', 'checkbox', 'file'].includes(node.type)) continue;
  const box = node.getBoundingClientRect(), inset = node.localName === 'svg' ? 0 : 8;
  found.push([node.parentElement.id || node.id, getComputedStyle(node).color, box.left + scrollX + inset,
    box.top + scrollY + inset, box.width - 2 * inset, box.height - 2 * inset]);
}
return found;
"""
# The page without texts shows the background of the texts.
HIDE = """
const sheet = new CSSStyleSheet();
sheet.replaceSync('*, ::placeholder { color: transparent !important; fill: transparent !important;'
  + ' stroke: transparent !important; caret-color: transparent !important; transition: none !important;'
  + ' animation: none !important } #state::before { opacity: 0 }');
document.adoptedStyleSheets = [sheet];
"""


def named(page, view):
    """Checks that each control has a role and a name."""
    tree = page.cdp("Accessibility.getFullAXTree")["nodes"]
    known = {node.get("backendDOMNodeId"): node for node in tree if not node.get("ignored")}
    document = page.cdp("DOM.getDocument", depth=-1)["root"]
    controls, nameless = 0, []

    def visit(node):
        nonlocal controls
        if node["nodeName"] in CONTROLS and is_laid_out(page, node["backendNodeId"]):
            controls += 1
            seen = known.get(node["backendNodeId"], {})
            role, name = seen.get("role", {}).get("value"), seen.get("name", {}).get("value", "").strip()
            if role not in ROLES or not name:
                nameless.append(f"{node['nodeName']} {node.get('attributes')}: {role} {name!r}")
        for child in node.get("children", []):
            visit(child)

    visit(document)
    check(controls > 3 and nameless == [], f"{view}: {controls} controls have a role and a name {nameless or ''}")


def is_laid_out(page, node):
    try:
        page.cdp("DOM.getBoxModel", backendNodeId=node)
        return True
    except Exception:  # The protocol's error for an element without a box.
        return False


def tabbed(page, view):
    """Checks that the Tab key reaches each control and shows the focus."""
    wanted = page.js("""
      window.bakeliteNodes = [...document.querySelectorAll('a[href], button, input, select, summary')].filter(
        (node) => !node.disabled && node.checkVisibility({ visibilityProperty: true }));
      document.activeElement.blur();
      window.getSelection().removeAllRanges();
      scrollTo(0, 0);
      return bakeliteNodes.map((node) => node.id || node.textContent || node.getAttribute('aria-label'));""")
    page.js("document.body.tabIndex = -1; document.body.focus()")
    reached, marked = set(), 0
    for _ in range(len(wanted) + 3):
        for kind in ("rawKeyDown", "keyUp"):
            page.cdp("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
        at, is_marked = page.js("""
          const node = document.activeElement, style = getComputedStyle(node);
          return [bakeliteNodes.indexOf(node), style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2];""")
        if at >= 0 and at not in reached:
            reached.add(at)
            marked += is_marked
    missed = [name for index, name in enumerate(wanted) if index not in reached]
    check(missed == [], f"{view}: Tab reaches {len(reached)} of {len(wanted)} controls {missed or ''}")
    check(marked == len(reached), f"{view}: {marked} of them show the focus")
    page.js("document.body.removeAttribute('tabindex')")


def light(value):
    value /= 255
    return value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4


def luminance(color):
    return 0.2126 * light(color[0]) + 0.7152 * light(color[1]) + 0.0722 * light(color[2])


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def readable(page, view, scheme):
    """Compares each text with the pixels of its background, and checks the lowest contrast."""
    page.js("scrollTo(0, 0)")
    texts = page.js(TEXTS)
    page.js(HIDE)
    size = page.js("return [innerWidth, document.documentElement.scrollHeight]")
    data = page.cdp("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                    clip={"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1})["data"]
    page.js("document.adoptedStyleSheets = []")
    picture = Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")
    worst, low = (99, ""), []
    for text, color, left, top, width, height in texts:
        ink = tuple(float(part) for part in color[color.index("(") + 1:-1].split(",")[:3])
        box = (max(0, int(left)), max(0, int(top)), min(size[0], int(left + width) + 1),
               min(size[1], int(top + height) + 1))
        if box[0] >= box[2] or box[1] >= box[3]:
            continue
        part = picture.crop(box)
        colors = part.getcolors(part.width * part.height)
        least = min(contrast(ink, color) for _, color in colors)
        worst = min(worst, (least, text))
        if least < LEAST:
            low.append(f"{text!r} {least:.2f}")
    check(low == [],
          f"{view}, {scheme}: {len(texts)} texts, the least contrast is {worst[0]:.2f} ({worst[1]}) {low or ''}")


def fits(page, view):
    page.size(320, 640)
    over = page.js("""
      const wide = [...document.body.querySelectorAll('*')].filter((node) => node.checkVisibility()
        && node.getBoundingClientRect().right > innerWidth + 1 && !node.closest('.display, #marks, .skip'));
      return [document.documentElement.scrollWidth, wide.map((node) => node.id || node.className || node.localName)];""")
    check(over[0] <= 320 and over[1] == [], f"{view} fits into 320 px {over}")
    small = page.js("""
      return [...document.querySelectorAll('button, select, input:not([type=checkbox], [type=file]), nav a')].filter(
        (node) => node.checkVisibility()).map((node) => [node.id || node.textContent, node.getBoundingClientRect()])
        .filter(([, box]) => box.height < 40 || box.width < 40).map(([name, box]) => `${name} ${box.width}x${box.height}`);""")
    check(small == [], f"{view}: what is touched has 40 px or more {small or ''}")
    page.size(1280, 900)


def look(page, view):
    page.js("for (const node of document.querySelectorAll('details')) node.open = true")
    named(page, view)
    tabbed(page, view)
    fits(page, view)
    if Image:
        for scheme in ("light", "dark"):
            page.theme(scheme, "reduce")
            readable(page, view, scheme)


def drive(stage):
    if not Image:
        skip("contrast", "apt-get install python3-pil")
    box = WebBox(stage)
    with Page() as page:
        page.theme("light", "reduce")
        page.open(box.address)
        wait_for("it asks for the code", lambda: page.is_shown("#code"))
        look(page, "signin")
        page.sign_in(box)
        wait_for("the presets are there", lambda: len(page.all("#buttons button")) == 2)
        for view in (*VIEWS, "setup"):
            page.view(view)
            if view == "find" and box.has_directory:
                wait_for("the search is shown", lambda: page.is_shown("#words"))
                page.write("#words", "jazz")
                page.keys("#words", Keys.ENTER)
                wait_for("stations are found", lambda: page.is_shown("#view .rows button"))
            if view == "settings":
                wait_for("settings are there", lambda: len(page.all("#view .setting")) >= 26)
            look(page, view)
        page.view("radio")
        moving = page.js("return document.getAnimations().filter((a) => a.playState === 'running').length")
        check(moving == 0, "nothing moves for who wants no motion")


if __name__ == "__main__":
    if is_able("access.py"):
        run(drive)
    sys.exit(0)
