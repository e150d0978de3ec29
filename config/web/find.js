// The station directory: search by words, play, add to the presets.

import { act, ask, button, hear, link, make, number, on, say, status, t } from './core.js';

export function open(view) {
  view.append(make('h2', { text: t('find') }));
  const { form, words, list, ends } = finder();
  view.append(form, list);
  words.focus();
  return ends;
}

/** Creates a search form and its results; `ends` removes the listeners, `kept` is called for each new preset. */
export function finder(kept = () => {}) {
  const words = make('input', { id: 'words', type: 'search', required: true, maxlength: 200, enterkeyhint: 'search' });
  const form = make('form.row', { role: 'search' },
    make('label', { for: 'words', text: t('words') }), words,
    make('button.strong', { text: t('search'), type: 'submit' }));
  const told = make('p.help', { role: 'status' });
  const rows = make('ul.rows');
  const more = button('', t('more'), () => look(rows.childElementCount), { hidden: true });
  const list = make('div', {}, told, rows, more);
  let wanted = '', searches = 0;

  async function look(from) {
    const query = new URLSearchParams({ words: wanted, from });
    const search = from ? searches : searches += 1;
    let answer;
    try { answer = await ask('GET', `find?${query}`); } catch (error) {
      if (search === searches) told.textContent = error.code === 'noDirectory' ? t('noDirectory') : error.message;
      return;
    }
    if (search !== searches) return;
    const { found = 0, misspelt = false, stations = [] } = answer;
    if (from === 0) rows.replaceChildren();
    const first = rows.childElementCount;
    rows.append(...stations.map((station) => row(station, kept)));
    told.textContent = t(found === 1 ? 'foundOne' : 'found', { count: number(found) })
      + (misspelt ? `. ${t('misspelt')}` : '');
    more.hidden = stations.length === 0 || rows.childElementCount >= found;
    if (from > 0) rows.children[first]?.querySelector('button')?.focus();
  }

  function clear() {
    searches += 1;
    rows.replaceChildren();
    told.textContent = '';
    more.hidden = true;
  }

  // After a restart, the radio treats earlier results as addresses that the owner typed.
  const ends = [
    on('status', () => {
      if (status.radio !== false) return;
      wanted = '';
      clear();
    }),
    on('link', () => { if (!link.isOpen) clear(); }),
    on('list found', () => {
      if (!wanted) return;
      clear();
      look(0);
    }),
  ];
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    wanted = words.value.trim();
    if (wanted) look(0);
  });
  return { form, words, list, ends };
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
