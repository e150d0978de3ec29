// The radio's health, its display, and presets of moved stations.

import {
  act, advance, ask, button, clock, facts, hear, lacksCard, make, number, on, session, showDisplay, stateWords,
  status, t,
} from './core.js';

export function open(view) {
  const verdict = make('p.verdict'), reason = make('p'), figures = make('dl.facts');
  const screen = make('pre.display', { role: 'img', hidden: true }), moved = make('div');
  view.append(make('h2', { text: t('health') }), verdict, reason, moved, screen,
    make('h3', { text: t('figures') }), figures);

  function draw() {
    advance();
    const isDue = !['stopped', 'paused', undefined].includes(status.state) && !status.standby && !status.suspended;
    const isHere = status.radio !== false && !lacksCard();
    const isGood = isHere && (!isDue || (status.audible || status.muted) && !status.fault);
    verdict.classList.toggle('trouble', !isGood);
    verdict.textContent = isGood && isDue ? t('allWell') : stateWords();
    reason.textContent = status.error ?? '';
    const rows = [
      ['station', status.station], ['address', status.stream_url],
      ['network', status.network && t(`net.${status.network}`)],
      ['sound', [status.codec, status.container, status.bitrate && `${number(status.bitrate)} kbit/s`]
        .filter(Boolean).join(', ')],
      ['held', status.held !== undefined && clock(status.held)],
      ['attempts', status.reconnect_attempt], ['underruns', status.underruns], ['xruns', status.xruns],
      ['rescues', status.rescues], ['lostSound', status.lost !== undefined && `${number(status.lost, 1)} s`],
      ['sleep', status.sleep_minutes !== undefined && `${status.sleep_minutes} min`],
      ['recording', status.recording],
      ['free', status.recording_free && `${number(status.recording_free / 1_048_576)} MiB`],
      ['home', status.mqtt && status.mqtt !== 'off' && (status.mqtt_fault ?? t(`net.${status.mqtt}`))],
      ['board', session.board ?? status.board],
      ['version', status.version ?? session.version],
    ];
    figures.replaceChildren(...facts(rows));
  }

  let asking = false;
  async function look() {
    if (asking) return;
    asking = true;
    await showDisplay(screen);
    setTimeout(() => { asking = false; }, 1_000);
  }

  async function loadMoved() {
    let list = [];
    try { list = (await ask('GET', 'moved')).moved ?? []; } catch { /* The box does not search for moved stations. */ }
    moved.replaceChildren(...(list.length ? [make('h3', { text: t('movedTitle') })] : []), ...list.map(row));
  }

  function row({ preset, url, new_url: address, new_name: known }) {
    const answer = (accept) => async () => {
      if (await act('POST', 'moved', { preset, accept })) await loadMoved();
      view.focus();
    };
    return make('div.sheet', {}, make('p', {}, make('strong', { text: t('moved', { preset }) })),
      make('dl.facts', {}, ...facts([['before', url], ['now', [known, address].filter(Boolean).join(' – ')]])),
      make('p.acts', {}, hear('', known || address, 'tune', { station: address }),
      button('.strong', t('accept'), answer(true), { label: `${t('accept')}: ${preset}` }),
      button('', t('refuse'), answer(false), { label: `${t('refuse')}: ${preset}` })));
  }

  draw();
  look();
  loadMoved();
  return [
    on('status', () => { draw(); look(); }),
    on('list moved', loadMoved),
  ];
}
