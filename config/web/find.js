// The station directory: lists as on the display, search by words, play, add to the presets.

import { act, ask, button, hear, language, link, make, number, on, say, status, t } from './core.js';
import { directoryCard } from './directory.js';

const lists = ['near', 'popular', 'genres', 'countries'];

export function open(view) {
  view.append(make('h2', { text: t('find') }));
  const { form, card, list, ends, show } = finder();
  view.append(form, list, card);
  show('near');
  return ends;
}

/** Creates the lists, a search form and the results; `ends` removes the listeners, `kept` is called for each new
 *  preset, and `show` opens a list. */
export function finder(kept = () => {}) {
  const words = make('input', { id: 'words', type: 'search', required: true, maxlength: 200, enterkeyhint: 'search' });
  const ways = make('p.ways', { role: 'group', 'aria-label': t('lists') },
    ...lists.map((list) => button('', t(`list.${list}`), () => enter({ list }), { 'data-list': list })));
  const search = make('form.row', { role: 'search' },
    make('label', { for: 'words', text: t('words') }), words,
    make('button.strong', { text: t('search'), type: 'submit' }));
  const form = make('div.search', { hidden: true }, ways, search);
  const back = button('.plain', '', () => goBack(), { hidden: true });
  const told = make('p.help', { role: 'status' });
  const rows = make('ul.rows');
  const more = button('', t('more'), () => look(rows.childElementCount), { hidden: true });
  const list = make('div', { hidden: true }, back, told, rows, more);
  let wanted, searches = 0, first;

  const directory = directoryCard((isThere) => {
    form.hidden = list.hidden = !isThere;
    if (!isThere || !first) return;
    enter({ list: first });
    first = undefined;
  });

  /** Opens a list or a search, with the focus on its start if `isMoving`. */
  async function enter(what, isMoving = false) {
    wanted = what;
    for (const way of ways.children) way.setAttribute('aria-pressed', (what.from ?? what).list === way.dataset.list);
    back.hidden = !what.from;
    if (what.from) back.textContent = `‹ ${t(`list.${what.from.list}`)}`;
    await look(0);
    if (isMoving) (what.from ? back : rows.querySelector('button'))?.focus();
  }

  const goBack = () => enter(wanted.from, true);

  function path(from) {
    if (wanted.words) return `find?${new URLSearchParams({ words: wanted.words, from })}`;
    return `browse?${new URLSearchParams({ list: wanted.list, from, ...wanted.name && { name: wanted.name } })}`;
  }

  async function look(from) {
    const mine = from ? searches : searches += 1, shown = wanted;
    let answer;
    try { answer = await ask('GET', path(from)); } catch (error) {
      if (mine !== searches) return;
      clear();
      // The directory is gone, for example after a move to another file.
      if (error.code === 'noDirectory') return directory.load();
      told.textContent = error.message;
      return;
    }
    if (mine !== searches) return;
    const { found = 0, misspelt = false } = answer, entries = answer.stations ?? answer.entries ?? [];
    if (from === 0) rows.replaceChildren();
    const start = rows.childElementCount;
    const isFolder = entries.length > 0 && !entries[0].file;
    if (isFolder && entries[0].country) sortCountries(entries);
    rows.append(...entries.map((entry) => entry.file ? row(entry, kept)
      : folder(entry, (name, title) => enter({ list: entry.genre ? 'genre' : 'country', name, title, from: shown }, true))));
    rows.classList.toggle('folders', isFolder);
    const count = t(found === 1 ? 'foundOne' : 'found', { count: number(found) });
    told.textContent = isFolder ? (shown.list === 'near' ? t('whichCountry') : '')
      : [shown.title, count].filter(Boolean).join(': ') + (misspelt ? `. ${t('misspelt')}` : '');
    more.hidden = isFolder || entries.length === 0 || rows.childElementCount >= found;
    if (from > 0) rows.children[start]?.querySelector('button')?.focus();
  }

  function clear() {
    searches += 1;
    rows.replaceChildren();
    told.textContent = '';
    more.hidden = back.hidden = true;
    for (const way of ways.children) way.setAttribute('aria-pressed', false);
  }

  // After a restart, the radio treats earlier results as addresses that the owner typed.
  const ends = [
    ...directory.ends,
    on('status', () => {
      if (status.radio !== false) return;
      wanted = undefined;
      clear();
    }),
    on('link', () => { if (!link.isOpen) clear(); }),
    on('list directory', () => {
      if (!wanted) return;
      clear();
      enter(wanted);
    }),
  ];
  search.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = words.value.trim();
    if (text) enter({ words: text });
  });
  /** Opens a list as soon as the directory is there. */
  const show = (list) => { first = list; };
  directory.load();
  return { form, card: directory.card, words, list, ends, show };
}

/** Returns the name of a country in the reader's language. */
function countryName({ country, code }) {
  try {
    return /^[A-Z]{2}$/i.test(code) ? new Intl.DisplayNames(language, { type: 'region' }).of(code) : country;
  } catch { return country; }
}

function sortCountries(entries) {
  for (const entry of entries) entry.title = countryName(entry);
  entries.sort((one, other) => one.title.localeCompare(other.title, language));
}

/** Creates the row of a genre or a country, which opens its stations. */
function folder(entry, choose) {
  const title = entry.title ?? entry.genre.replace(/^./u, (letter) => letter.toLocaleUpperCase(language));
  return make('li', {}, button('', title, () => choose(entry.genre ?? entry.code, title),
    { label: `${title}, ${t(entry.stations === 1 ? 'foundOne' : 'found', { count: number(entry.stations) })}`,
      'data-count': number(entry.stations) }));
}

function row(station, kept) {
  const sound = [station.codec, station.bitrate && `${station.bitrate} kbit/s`, station.hls && 'HLS'];
  const facts = [station.country, station.tags, sound.filter(Boolean).join(' ')].filter(Boolean).join(' · ');
  const name = station.name || station.file;
  const keep = button('', t('add'), async () => {
    if (!await act('POST', 'presets', { name: name.slice(0, 100), url: station.file })) return;
    say(t('added', { name }));
    keep.disabled = true;
    kept(name);
  }, { label: t('addOf', { name }) });
  return make('li', {},
    make('p.what', {}, make('strong', { text: name }), make('span', { text: facts }),
      station.alive === false ? make('span.trouble', { text: t('dead') }) : undefined),
    make('p.acts', {}, hear('.strong', name, 'tune', { station: station.file }), keep));
}
