// The episodes of the current podcast, or the files of the current list.

import { ask, button, clock, hear, language, make, on, status, t } from './core.js';

export function open(view) {
  const told = make('p.help', { role: 'status' }), rows = make('ol.rows');
  const more = button('', t('more'), () => load(rows.childElementCount), { hidden: true });
  view.append(make('h2', { text: t('episodes') }), told, rows, more);

  async function load(from) {
    try {
      const { episodes = [] } = await ask('GET', `episodes?from=${from}`);
      if (from === 0) rows.replaceChildren();
      rows.append(...episodes.map(row));
      told.textContent = rows.childElementCount ? '' : t('noEpisodes');
      more.hidden = episodes.length === 0 || rows.childElementCount >= (status.episodes ?? 0);
    } catch (error) {
      rows.replaceChildren();
      told.textContent = error.status === 409 || error.status === 404 ? t('noEpisodes') : error.message;
    }
    mark();
  }

  function row(episode) {
    const date = episode.date && new Date(`${episode.date}T12:00:00Z`);
    const day = date && date.toLocaleDateString(language, { dateStyle: 'medium' });
    const number = episode.episode, title = episode.title || `${t('episode')} ${number}`;
    return make('li', { 'data-number': number },
      make('p.what', {}, make('strong', { text: title }),
        make('span', { text: [day, episode.duration && clock(episode.duration)].filter(Boolean).join(' · ') })),
      make('p.acts', {}, hear('', title, 'episode', { number })));
  }

  let shown = status.episodes;
  function mark() {
    for (const node of rows.children) node.classList.toggle('now', Number(node.dataset.number) === status.episode);
  }
  load(0);
  return [on('status', () => {
    if (status.episodes !== shown) { shown = status.episodes; load(0); } else mark();
  })];
}
