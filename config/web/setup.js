// The first set-up: a station, a volume, and the detected hardware.

import { act, facts, level, make, on, session, showDisplay, status, t } from './core.js';
import { finder } from './find.js';
import { stationForm } from './presets.js';

export function open(view, { presets, loadPresets }) {
  const kept = make('p.help', { role: 'status' });
  const search = finder(arrived);
  const own = stationForm('first', t('add'), '', '', async (values) => {
    if (await act('POST', 'presets', values)) await arrived(values.name);
  });
  const done = make('button.strong', { text: t('done'), on: { click: () => { location.hash = 'radio'; } } });

  async function arrived(title) {
    kept.textContent = t('added', { name: title });
    await loadPresets();
    if (presets().length === 1) await act('POST', 'tune', { station: 1 });
  }

  const loudness = level('first-volume', status.volume ?? 0, (volume) => act('POST', 'volume', { volume }));

  const found = make('dl.facts');
  function draw() {
    if (document.activeElement !== loudness.slider) loudness.slider.value = status.volume ?? 0;
    loudness.draw();
    const rows = [['board', session.board ?? status.board], ['sound', soundWords()], ['version', session.version]];
    found.replaceChildren(...facts(rows));
  }

  const screen = make('pre.display', { role: 'img', hidden: true });
  showDisplay(screen);

  view.append(make('h2', { text: t('setup') }), make('p', { text: t('setupHelp') }),
    make('section.sheet', {}, make('h3', { text: t('setupStation') }), search.form, search.list, search.card,
      make('details', {}, make('summary', { text: t('ownAddress') }), own), kept),
    make('section.sheet', {}, make('h3', {}, make('label', { for: 'first-volume', text: t('setupVolume') })),
      make('div.level', {}, loudness.slider, loudness.figure)),
    make('section.sheet', {}, make('h3', { text: t('setupFound') }), found, screen),
    make('p.acts', {}, done));
  draw();
  return [on('status', draw), ...search.ends];
}

function soundWords() {
  if (status.radio === false) return t('radioAway');
  return status.error ?? t('soundReady');
}
