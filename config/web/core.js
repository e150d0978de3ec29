// Code for all views: texts, the API, the radio's status, small helpers.

// Words

const languages = ['en', 'de'];
let words = { lost: 'No connection', noServer: 'No connection' };
export let language = 'en';

/** Returns a text by its key, with each {name} replaced; the key if the text is missing. */
export function t(key, values = {}) {
  const text = key.split('.').reduce((all, part) => all?.[part], words);
  return typeof text === 'string' ? text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '') : key;
}

export const has = (key) => t(key) !== key;

/** Returns the reader's choice, else the browser's language, if the page has it. */
export function wantedLanguage() {
  const asked = [stored('language'), ...(navigator.languages ?? [navigator.language])];
  return asked.map((tag) => (tag ?? '').slice(0, 2).toLowerCase()).find((tag) => languages.includes(tag));
}

/** Fetches the texts of a language, and rewrites all texts of the page. */
export async function speak(tag) {
  const answer = await fetch(`text/${tag}.json`);
  if (!answer.ok) throw new Error(answer.statusText);
  words = await answer.json();
  language = tag;
  document.documentElement.lang = tag;
  label(document);
}

/** Writes the text of each element with data-text, and the label of each with data-label or data-icon. */
export function label(root) {
  for (const node of root.querySelectorAll('[data-text]')) node.textContent = t(node.dataset.text);
  for (const node of root.querySelectorAll('[data-label], [data-icon]')) {
    name(node, t(node.dataset.label ?? node.dataset.icon));
  }
}

/** Sets an element's label for assistive technology, and a button's tooltip. */
export function name(node, text) {
  node.setAttribute('aria-label', text);
  if (node.localName === 'button') node.title = text;
}

/** Saves a choice of the reader in this browser; private windows may refuse that. */
export function store(key, value) {
  try { localStorage.setItem(`bakelite.${key}`, value); } catch { /* The choice lasts until the page closes. */ }
}

function stored(key) {
  try { return localStorage.getItem(`bakelite.${key}`); } catch { return null; }
}

// Listeners

const listeners = new Map();

/** Adds a listener. Returns a function that removes it. */
export function on(what, hear) {
  if (!listeners.has(what)) listeners.set(what, new Set());
  listeners.get(what).add(hear);
  return () => listeners.get(what).delete(hear);
}

export function emit(what, detail) {
  for (const hear of [...(listeners.get(what) ?? [])]) hear(detail);
}

// The API

export const session = {};

/** Creates an error with a sentence for the reader. */
const refusal = (message, more) => Object.assign(new Error(message), more);

export async function ask(method, path, body) {
  const headers = method === 'GET' ? {} : { 'X-Bakelite-Token': session.token ?? '' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  let answer, data = {};
  try {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const signal = AbortSignal.timeout?.(10_000);
    answer = await fetch(`api/${path}`, { method, headers, body: text, cache: 'no-store', signal });
    data = JSON.parse((await answer.text()) || '{}');
  } catch {
    if (!answer) renew(5_000);
    // A truncated error body is ignored; the status suffices.
    if (!answer || answer.ok) throw refusal(t('noServer'));
  }
  if (answer.ok) return data;
  if (answer.status === 401 && path !== 'login') {
    session.signed_in = false;
    emit('session');
  }
  const after = Number(answer.headers.get('Retry-After'));
  const { status } = answer;
  throw refusal(data.error ?? `${status} ${answer.statusText}`, { status, code: data.code, after });
}

/** Sends an order to the API, and shows a failure. Returns true if it succeeded. */
export async function act(method, path, body) {
  try {
    await ask(method, path, body);
    return true;
  } catch (error) {
    say(error.message, true);
    return false;
  }
}

export async function begin() {
  Object.assign(session, await ask('GET', 'session'));
  return session;
}

// The radio, from the event stream

/** Fields of `radio_status`; `advance` updates the times. */
export const status = {};
/** isOpen: true while the event stream is open. */
export const link = { isOpen: false };
let source, retry, resting, isWanted = false, isAgain = false, heard = 0;

const tells = {
  status(all) {
    for (const key of Object.keys(status)) delete status[key];
    take(all);
    // Changes during an interruption were lost, so reload the lists.
    if (isAgain) for (const list of ['presets', 'rooms', 'moved', 'directory']) tells.list({ list });
    isAgain = true;
  },
  change: (changes) => take(changes),
  event: (event) => emit('event', event),
  list: ({ list }) => emit(`list ${list}`),
  // A keep-alive, every 20 s.
  sign() {},
};

export function listen() {
  close();
  isWanted = true;
  heard = performance.now();
  source = new EventSource('api/events');
  for (const [what, tell] of Object.entries(tells)) {
    source.addEventListener(what, ({ data }) => {
      heard = performance.now();
      tell(JSON.parse(data));
    });
  }
  source.onopen = () => connected(true);
  source.onerror = () => {
    connected(false);
    // The browser retries by itself unless the server refused.
    if (source.readyState === EventSource.CLOSED) retry = setTimeout(listenAgain, 3_000);
  };
  rest();
}

function close() {
  clearTimeout(retry);
  source?.close();
  source = undefined;
  rest();
}

export function hangUp() {
  close();
  isWanted = false;
}

/** Opens a new stream after `most` ms without data, because a dead stream may raise no error. */
export function renew(most = 45_000) {
  const limit = source?.readyState === EventSource.OPEN ? most : 5_000;
  if (!source || source.readyState === EventSource.CLOSED || performance.now() - heard < limit) return;
  connected(false);
  listen();
}

/** Closes the stream of a hidden tab after 20 s: a browser allows six connections per server. */
function rest() {
  clearTimeout(resting);
  if (document.hidden && source) resting = setTimeout(() => { close(); connected(false); }, 20_000);
}

async function listenAgain() {
  try {
    await begin();
    if (session.signed_in) listen(); else emit('session');
  } catch {
    retry = setTimeout(listenAgain, 3_000);
  }
}

function connected(isOpen) {
  link.isOpen = isOpen;
  emit('link');
}

// A phone closes connections of hidden pages without an event; so does a lost network.
document.addEventListener('visibilitychange', () => {
  rest();
  if (isWanted && !document.hidden && source?.readyState !== EventSource.OPEN) listen();
});
addEventListener('online', () => { if (source) listen(); });
addEventListener('offline', () => { if (source) connected(false); });

let station;

function take(changes) {
  advance();
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) delete status[key]; else status[key] = value;
  }
  emit('status');
  if (status.station === station) return;
  const before = station;
  station = status.station;
  emit('station', { station, before });
}

let since = performance.now();

/** Advances the times of `status` to the present. */
export function advance() {
  const now = performance.now();
  const passed = link.isOpen ? (now - since) / 1_000 : 0;
  since = now;
  const isPlaying = status.state === 'playing', isPaused = status.state === 'paused';
  if (!isPlaying && !isPaused) return;
  if (status.recording && status.recording_seconds !== undefined) status.recording_seconds += passed;
  if (!status.live) {
    if (isPlaying) status.position = Math.min((status.position ?? 0) + passed, status.duration ?? Infinity);
    return;
  }
  const comes = status.network === 'connected';
  const heard = isPlaying ? passed : 0, came = comes ? passed : 0;
  status.position = (status.position ?? 0) + heard;
  status.timeshift = (status.timeshift ?? 0) + passed - heard;
  status.held = Math.max(0, (status.held ?? 0) + came - heard);
  const most = Math.max(status.capacity ?? Infinity, status.duration ?? 0);
  status.duration = Math.min((status.duration ?? 0) + came, most);
}

/** Returns the listener's position in seconds on a scale from `least` to `most`; for a live station 0 is live. */
export function place() {
  advance();
  if (!status.live) return { least: 0, most: status.duration ?? 0, at: status.position ?? 0 };
  const shift = status.timeshift ?? 0;
  const elapsed = Math.max(0, (status.duration ?? 0) - Math.max(status.held ?? 0, shift));
  return { least: -Math.floor(shift + elapsed), most: 0, at: -shift };
}

export const isOff = () => (status.state ?? 'stopped') === 'stopped';

/** True if the radio gave up the station and will retry. */
export const isRetrying = () => isOff() && ['playing', 'paused'].includes(status.intent);

/** True if the radio waits for its sound card. A guest without a name is recognized by its lease. */
export const lacksCard = () => status.suspended && !status.standby && !status.suspended_by
  && status.suspended_for === undefined && !!status.error;

/** Returns the radio's state in a few words. */
export function stateWords() {
  if (status.radio === false) return t('radioAway');
  if (status.standby) return t('off');
  if (status.suspended_by) return t('plays', { guest: status.suspended_by });
  if (lacksCard()) return t('noCard');
  if (status.fault && !(isOff() && !isRetrying())) return faultWords();
  const shift = status.timeshift ?? 0;
  if (status.state === 'playing') {
    if (status.muted) return t('muted');
    return status.live && shift >= 2 ? t('timeShift') : t(status.live ? 'live' : 'state.playing');
  }
  return has(`state.${status.state}`) ? t(`state.${status.state}`) : '';
}

const faultWords = (fault = status.fault) => has(`faults.${fault}`)
  ? t(`faults.${fault}`) : t('faults.notPlayable', { kind: kinds[fault] ?? fault.toUpperCase() });

const kinds = {
  encryptedHls: 'HLS', xheAac: 'xHE-AAC', dolby: 'Dolby', otherCodec: 'Codec', windowsMedia: 'WMA',
};

// Another source than the station

/** True if a fallback or the tone replaces the station; false at another address of the station. */
export const isReplaced = () => !!status.source && status.source_kind !== 'address';

/** Returns the names of the station and of the source that replaces it. */
export const sourceNames = () => ({
  name: status.station ?? '', source: status.source === 'tone' ? t('source.tone') : status.source ?? '',
});

/** Returns the source that replaces the station, since when, why, and the next attempt; '' without such a source. */
export function sourceWords() {
  if (!status.source || isOff() && !isRetrying()) return '';
  const away = status.source_for ?? 0, isLong = away > 86_400;
  const form = { hour: 'numeric', minute: '2-digit', ...(isLong && { weekday: 'short' }) };
  const time = new Date(Date.now() - away * 1_000).toLocaleTimeString(language, form);
  const cause = status.source_cause ?? 'unplayable', isChosen = cause === 'choice';
  const reason = has(`source.why.${cause}`) ? t(`source.why.${cause}`) : faultWords(cause);
  const next = status.source_next;
  const isSettled = isChosen || !isReplaced() || status.state === 'paused';
  const plan = isSettled && next === undefined || cause === 'ad' && !next ? ''
    : next > 0 ? t('source.next', { time: clock(Math.ceil(next)) }) : t('source.now');
  const words = isReplaced() ? 'source.since' : cause === 'slowLine' ? 'source.slow' : 'source.address';
  return [t(words, { ...sourceNames(), time, reason }), plan].filter(Boolean).join(' ');
}

// Times and numbers

/** Returns hours, minutes, and seconds. */
function parts(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  return [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
}

export function clock(seconds) {
  const [hours, minutes, rest] = parts(seconds);
  const two = (number) => String(number).padStart(2, '0');
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Returns a duration for screen readers, such as "2 minutes, 5 seconds". */
export function spoken(seconds) {
  const all = parts(seconds), units = ['hour', 'minute', 'second'];
  const spell = (count, at) => count || at === 2 && !all[0] && !all[1]
    ? count.toLocaleString(language, { style: 'unit', unit: units[at], unitDisplay: 'long' }) : '';
  return all.map(spell).filter(Boolean).join(', ');
}

export const number = (value, digits = 0) =>
  Number(value).toLocaleString(language, { maximumFractionDigits: digits });

// The document

export const one = (id) => document.getElementById(id);

/** Creates an element: `make('p.note', { text, on: { click } }, …children)`. Text is never parsed as markup. */
export function make(kind, more = {}, ...children) {
  const [tag, ...classes] = kind.split('.');
  const node = document.createElement(tag);
  node.classList.add(...classes);
  for (const [key, value] of Object.entries(more)) {
    if (value === undefined || value === false) continue;
    if (key === 'text') node.textContent = value;
    else if (key === 'label') name(node, value);
    else if (key === 'on') for (const [what, hear] of Object.entries(value)) node.addEventListener(what, hear);
    else if (key === 'value' || key === 'checked' || key === 'disabled') node[key] = value;
    else node.setAttribute(key, value === true ? '' : value);
  }
  if (tag === 'button' && !more.type) node.type = 'button';
  node.append(...children.filter((child) => child !== undefined && child !== null));
  return node;
}

/** Returns the rows of a fact list, without pairs whose value is missing. */
export const facts = (rows) => rows.filter(([, value]) => value || value === 0).flatMap(([key, value]) =>
  [make('dt', { text: t(`facts.${key}`) }), make('dd', { text: String(value) })]);

/** Creates a button; while its action runs, further presses are ignored. */
export function button(kind, text, press, more = {}) {
  return make(`button${kind}`, { text, ...more, on: { click: (event) => once(event.currentTarget, press) } });
}

/** Creates a button that starts playback by an order to the API. */
export const hear = (kind, name, path, body) =>
  button(kind, t('hear'), () => act('POST', path, body), { label: t('hearOf', { name }) });

/** Runs an action for a control and marks it busy; ignores the call if it is busy already. */
export async function once(node, press) {
  if (node.getAttribute('aria-busy') === 'true') return;
  node.setAttribute('aria-busy', 'true');
  try { await press(node); } catch (error) { say(error.message, true); } finally { node.removeAttribute('aria-busy'); }
}

const shapes = {
  play: 'M8 5v14l11-7z',
  pause: 'M7 5h3.6v14H7zM13.4 5H17v14h-3.6z',
  previous: 'M6 6h2.4v12H6zM19 6v12l-9-6z',
  next: 'M15.6 6H18v12h-2.4zM5 6v12l9-6z',
  back: 'M12 6v12l-8-6zM21 6v12l-8-6z',
  on: 'M3 6v12l8-6zM12 6v12l8-6z',
  sound: 'M4 9.5v5h3.5L12 19V5L7.5 9.5zM14.5 8.2a5 5 0 0 1 0 7.6M17 5.6a8.6 8.6 0 0 1 0 12.8',
  silent: 'M4 9.5v5h3.5L12 19V5L7.5 9.5zM15 9.5l5 5M20 9.5l-5 5',
  up: 'M12 6l-7 8h14z',
  down: 'M12 18l-7-8h14z',
  grip: 'M5 7h14v2H5zM5 11h14v2H5zM5 15h14v2H5z',
};

/** Creates a slider from 0 to 100 with its value as text; `set` receives the value on release. */
export function level(id, value, set, more = {}) {
  const slider = make('input', { id, type: 'range', min: '0', max: '100', value, ...more });
  const figure = make('output', { for: id });
  const draw = () => {
    slider.style.setProperty('--at', `${slider.value}%`);
    figure.textContent = number(slider.value);
  };
  slider.addEventListener('input', draw);
  slider.addEventListener('change', () => set(Number(slider.value)));
  draw();
  return { slider, figure, draw };
}

/** Calls `hear` if a slider is released at its old value, because then no `change` event follows. */
export function whenLetGo(slider, hear) {
  let isHeld = false;
  slider.addEventListener('input', () => { isHeld = true; });
  slider.addEventListener('change', () => { isHeld = false; });
  // The `change` event follows the pointer event.
  const end = () => setTimeout(() => { if (isHeld) hear(isHeld = false); }, 100);
  for (const what of ['pointerup', 'pointercancel', 'blur']) slider.addEventListener(what, end);
}

/** Draws the content of the radio's display. */
export async function showDisplay(screen) {
  try {
    const { lines = [], columns = 0 } = await ask('GET', 'display');
    screen.textContent = lines.map((line) => line.padEnd(columns)).join('\n');
    screen.hidden = lines.length === 0;
    name(screen, `${t('display')}: ${lines.map((line) => line.trim()).join(', ')}`);
  } catch { screen.hidden = true; }
}

/** Draws an icon into a control that has a label. */
export function icon(node, shape) {
  if (node.dataset.icon === shape && node.firstElementChild) return;
  node.dataset.icon = shape;
  const space = 'http://www.w3.org/2000/svg';
  const picture = document.createElementNS(space, 'svg'), path = document.createElementNS(space, 'path');
  picture.setAttribute('viewBox', '0 0 24 24');
  picture.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', shapes[shape]);
  if (shape === 'sound' || shape === 'silent') path.setAttribute('class', 'drawn');
  picture.append(path);
  node.replaceChildren(picture);
}

let silence;

/** Shows a notice for some seconds, and announces it to a screen reader. */
export function say(text, isTrouble = false) {
  const notice = one('notice');
  clearTimeout(silence);
  notice.textContent = text;
  notice.classList.toggle('trouble', isTrouble);
  silence = setTimeout(() => { notice.textContent = ''; }, isTrouble ? 9_000 : 5_000);
}

export function sure(question, yes) {
  return new Promise((answer) => {
    const box = make('dialog', { 'aria-labelledby': 'question' }, make('p', { text: question, id: 'question' }));
    const end = (is) => { box.close(); box.remove(); answer(is); };
    const no = make('button', { text: t('no'), on: { click: () => end(false) } });
    box.append(make('div.acts', {}, make('button.strong', { text: yes, on: { click: () => end(true) } }), no));
    box.addEventListener('cancel', (event) => { event.preventDefault(); end(false); });
    document.body.append(box);
    box.showModal();
    no.focus();
  });
}
