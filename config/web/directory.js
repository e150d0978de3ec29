// The state of the station directory, and the button that downloads it.

import { ask, button, language, make, number, on, session, status, t } from './core.js';

/** Creates the state of the directory; `whether` is called when the directory appears or is missing. */
export function directoryCard(whether) {
  const title = make('h3'), help = make('p.help', { role: 'status' });
  const bar = make('progress', { 'aria-label': t('directory') }), get = button('.strong', t('fetch'), fetchCopy);
  const command = make('code', { text: 'sudo bakelite find --update', hidden: true });
  const card = make('section.directory', { hidden: true }, title, help, command, bar, make('p.acts', {}, get));
  let known = {}, loads = 0;

  async function load() {
    const mine = loads += 1;
    // A radio that opens a new copy may answer late.
    try { take(await ask('GET', 'directory'), mine); } catch { setTimeout(() => mine === loads && load(), 3_000); }
  }

  async function fetchCopy() {
    const mine = loads += 1;
    take(await ask('POST', 'directory'), mine);
  }

  function take(answer, mine) {
    if (mine !== loads) return;
    known = answer;
    draw();
    whether(known.stations !== undefined);
  }

  function draw() {
    const isThere = known.stations !== undefined, isActive = ['requested', 'running'].includes(known.state);
    card.hidden = false;
    card.classList.toggle('sheet', !isThere);
    title.hidden = isThere;
    title.textContent = t(isActive ? 'directory' : 'noDirectory');
    command.hidden = !isByHand();
    bar.hidden = !isActive;
    get.hidden = isActive || session.read_only;
    get.textContent = t(isThere ? 'fetchAgain' : 'fetch');
    get.className = isThere ? 'plain' : 'strong';
    help.classList.toggle('trouble', known.state === 'failed');
    help.textContent = words(isThere, isActive);
  }

  /** True if the radio cannot download the directory by itself. */
  const isByHand = () => known.state === 'failed' && !!known.problem?.includes(command.textContent);

  function words(isThere, isActive) {
    if (known.state === 'requested' || isActive && !known.received) return t('fetchStarts');
    if (isActive) return t('fetching', { count: number(known.received) });
    if (isByHand()) return t('fetchByHand');
    if (known.state === 'failed') return `${t('fetchFailed')} ${known.problem ?? ''}`;
    if (!isThere) return t('noDirectoryHelp');
    const date = new Date(known.date).toLocaleDateString(language, { dateStyle: 'medium' });
    return t('directoryOf', { count: number(known.stations), date });
  }

  const ends = [
    on('list directory', load),
    on('status', () => {
      const state = status.directory_update;
      if (!state || status.radio === false) return;
      Object.assign(known, { state, received: status.directory_received });
      draw();
    }),
    on('link', () => { if (loads) load(); }),
  ];
  return { card, ends, load };
}
