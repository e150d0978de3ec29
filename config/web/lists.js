// Station lists in files: reads M3U, PLS and OPML, writes M3U.

const address = /^https?:\/\/\S+$/i;
const most = 1_000;

/** Returns the stations of a file as { name, url }, without duplicates. */
export function read(text) {
  const body = text.replace(/^\uFEFF/, '').trimStart();
  const all = /^<(\?xml|opml|!)/i.test(body) ? opml(body) : /^\[playlist\]/i.test(body) ? pls(body) : m3u(body);
  const seen = new Set();
  return all.filter(({ url }) => address.test(url) && hostOf(url) && !seen.has(url) && seen.add(url)).slice(0, most)
    .map(({ name, url }) => ({ name: tidy(name) || hostOf(url), url }));
}

/** Returns the host of an address, or '' if the address is invalid. */
export function hostOf(url) {
  try { return new URL(url).hostname; } catch { return ''; }
}

/** Shortens a name to one line of at most 100 characters, the limit of preset names. */
export const tidy = (name) => [...(name ?? '').replace(/[\s\p{C}]+/gu, ' ').trim()].slice(0, 100).join('');

const lines = (text) => text.split(/\r\n|\r|\n/).map((line) => line.trim());

function m3u(text) {
  const found = [];
  let name = '';
  for (const line of lines(text)) {
    if (/^#EXTINF:/i.test(line)) name = line.slice(line.indexOf(',') + 1);
    else if (line && !line.startsWith('#')) {
      found.push({ name, url: line });
      name = '';
    }
  }
  return found;
}

function pls(text) {
  const urls = new Map(), names = new Map();
  for (const line of lines(text)) {
    const [, kind, number, value] = /^(file|title)(\d+)\s*=\s*(.*)$/i.exec(line) ?? [];
    if (kind) (kind.toLowerCase() === 'file' ? urls : names).set(Number(number), value);
  }
  return [...urls].sort(([a], [b]) => a - b).map(([number, url]) => ({ name: names.get(number), url }));
}

function opml(text) {
  const outlines = new DOMParser().parseFromString(text, 'text/xml').querySelectorAll('outline');
  return [...outlines].map((node) => ({
    name: node.getAttribute('text') ?? node.getAttribute('title'),
    url: node.getAttribute('URL') ?? node.getAttribute('url') ?? node.getAttribute('xmlUrl') ?? '',
  }));
}

/** Returns a list as M3U, without stations whose secret address the radio replaces by `station:NAME`. */
export function m3uOf(stations) {
  return '#EXTM3U\n' + stations.filter(({ url }) => address.test(url))
    .map(({ name, url }) => `#EXTINF:-1,${tidy(name)}\n${url}\n`).join('');
}
