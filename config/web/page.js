// The page: session, open view, and the radio itself.

import {
  act, ask, begin, clock, emit, icon, isOff, isReplaced, isRetrying, lacksCard, link, listen, hangUp, language, make, name, number,
  on, once, one, place, renew, say, session, sourceNames, sourceWords, speak, spoken, stateWords, status, store, t, wantedLanguage, whenLetGo,
} from './core.js';

// Views

// Views in modules of the same name; each module is fetched when the view first opens.
const views = ['presets', 'find', 'episodes', 'rooms', 'recordings', 'health', 'settings'];
let leave, shown, opening = 0;

async function show() {
  const view = one('view');
  const wanted = !session.signed_in ? 'signin' : location.hash.slice(1);
  const place = session.signed_in && !views.includes(wanted) && wanted !== 'setup' ? 'radio' : wanted;
  if (place === shown) return;
  const isFirst = shown === undefined, mine = opening += 1;
  shown = place;
  leave?.forEach((end) => end());
  leave = undefined;
  const root = document.documentElement;
  root.dataset.view = place;
  root.classList.toggle('aside', place !== 'radio');
  one('set').hidden = !session.signed_in || place === 'setup';
  one('nav').hidden = !session.signed_in;
  one('presets').hidden = one('more').hidden = place !== 'radio';
  view.hidden = place === 'radio';
  view.replaceChildren();
  for (const way of document.querySelectorAll('#nav a')) {
    mark(way, way.hash === `#${place}` && 'page');
  }
  document.title = place === 'radio' ? 'Bakelite' : `${t(place)} – Bakelite`;
  if (place === 'radio') return isFirst || one('brand').focus();
  try {
    const { open } = await import(`./${place}.js`);
    if (mine === opening) leave = open(view, { signedIn, presets: () => presets, loadPresets });
  } catch {
    if (mine !== opening) return;
    view.replaceChildren(make('p', { text: t('noServer') }));
    return setTimeout(reload, 3_000, mine);
  }
  if (place !== 'signin') view.focus({ preventScroll: isFirst });
}

addEventListener('hashchange', show);

/** Reloads the page, because a browser caches a failed module until then. */
const reload = (mine) =>
  mine === opening && begin().then(() => location.reload(), () => setTimeout(reload, 3_000, mine));

// Start and end of a session

async function signedIn() {
  if (!wantedLanguage()) {
    const { settings } = await ask('GET', 'settings').catch(() => ({ settings: [] }));
    const tag = settings.find(({ key }) => key === 'language')?.value;
    if (tag && tag !== language) await speak(tag);
  }
  listen();
  shown = undefined;
  show();
  loadMoved();
  const isLoaded = await loadPresets();
  if (isLoaded && presets.length === 0 && !session.read_only) location.hash = 'setup';
}

on('session', () => {
  if (session.signed_in) return;
  hangUp();
  // A new password of the owner ends all sessions; start() fetches the new kind of sign-in.
  start();
});

on('link', connect);

function connect() {
  one('lost').hidden = link.isOpen;
  one('lost').textContent = link.isOpen ? '' : t('lost');
}

// Language

one('tongue').addEventListener('click', async () => {
  const other = otherLanguage();
  try { await speak(other); } catch { return say(t('noServer'), true); }
  store('language', other);
  nameLanguage();
  draw();
  shown = undefined;
  show();
});

const otherLanguage = () => language === 'de' ? 'en' : 'de';

function nameLanguage() {
  const node = one('tongue');
  node.lang = otherLanguage();
  node.textContent = node.lang === 'de' ? 'Deutsch' : 'English';
}

// Playback state

const plays = () => ['playing', 'connecting', 'buffering'].includes(status.state);

function draw() {
  const isAway = status.radio === false, isPlaying = !isAway && plays();
  const root = document.documentElement;
  root.dataset.state = isAway ? 'away' : status.fault && isPlaying || lacksCard() ? 'trouble' : status.state ?? 'stopped';
  put('state', stateWords());
  const played = isReplaced() ? t('fallback', sourceNames()) : status.station;
  put('station', isAway ? t('away') : played || t('noStation'));
  put('title', isAway ? t('awayHelp') : status.track ?? status.title ?? '');
  put('artist', status.artist ?? '');
  put('figures', [status.codec, status.bitrate && `${number(status.bitrate)} kbit/s`].filter(Boolean).join(' · '));
  const error = isOff() && !isRetrying() ? undefined : status.error, replaced = sourceWords();
  put('source', replaced);
  one('source').hidden = !replaced;
  put('trouble', error ?? '');
  one('trouble').hidden = !error;
  icon(one('play'), isPlaying ? 'pause' : 'play');
  name(one('play'), t(isPlaying ? 'pause' : 'play'));
  const isLocked = session.read_only || isAway;
  for (const node of document.querySelectorAll(controls)) node.disabled = isLocked;
  drawVolume();
  drawActs();
  drawTime();
  one('to-episodes').hidden = !status.episodes;
  one('to-rooms').hidden = status.rooms === undefined;
  if (isLocked) {
    for (const node of document.querySelectorAll(controls)) node.disabled = true;
  }
  for (const node of one('buttons').querySelectorAll('button')) {
    mark(node, !isAway && isOn(node));
  }
}

const controls = '#set :is(button, input), #more :is(button, select), #buttons button';

function mark(node, current) {
  if (current) node.setAttribute('aria-current', current); else node.removeAttribute('aria-current');
}

function put(id, text) {
  const node = one(id);
  if (node.textContent !== text) node.textContent = text;
}

function drawVolume() {
  const isKnown = status.volume !== undefined && status.volume >= 0;
  volume.disabled = !isKnown;
  if (isKnown) volume.value = loud ?? status.volume;
  paint(volume);
  put('loudness', isKnown ? number(volume.value) : '–');
  const mute = one('mute');
  icon(mute, status.muted ? 'silent' : 'sound');
  mute.setAttribute('aria-pressed', !!status.muted);
}

function paint(slider) {
  const [least, most] = [Number(slider.min), Number(slider.max)];
  const share = most > least ? (Number(slider.value) - least) / (most - least) : 1;
  slider.style.setProperty('--at', `${Math.round(share * 1_000) / 10}%`);
}

function drawActs() {
  for (const id of ['keep', 'last', 'back', 'on']) one(id).disabled = isOff();
  one('stop').disabled = isOff() && !isRetrying();
  one('power').hidden = status.standby === undefined;
  put('power', t(status.standby ? 'powerOn' : 'powerOff'));
  one('live').disabled = isOff() || !status.live;
  one('live').hidden = status.live === false;
  one('live').classList.toggle('lit', !!status.live && status.state === 'playing' && (status.timeshift ?? 0) < 2);
  one('record').disabled = isOff() && !status.recording;
  one('record').setAttribute('aria-pressed', !!status.recording);
  one('guest').hidden = !status.suspended_by;
  drawSleep();
}

const sleepTimes = [15, 30, 60, 90];

/** Draws the sleep timer: off, its times, and the remaining time if that is another. */
function drawSleep() {
  const node = one('sleep'), left = status.sleep_minutes ?? 0;
  node.disabled = status.standby !== false;
  // The open list would close.
  if (node === document.activeElement || node.dataset.left === `${left} ${language}`) return;
  node.dataset.left = `${left} ${language}`;
  const times = [...new Set([0, ...sleepTimes, left])].sort((one, other) => one - other);
  node.replaceChildren(...times.map((minutes) => make('option', {
    value: String(minutes), text: minutes ? t('sleepFor', { minutes }) : t('sleepOff'),
  })));
  node.value = String(left);
  node.classList.toggle('lit', left > 0);
}

// Time shift

// The target position, from the first touch until the radio has answered.
let wish, asking;

function drawTime() {
  const slider = one('time'), { least, most, at } = place();
  const isUsable = !isOff() && most - least >= 1;
  slider.disabled = !isUsable || session.read_only;
  if (slider.disabled) wish = undefined;
  slider.min = Math.round(least);
  slider.max = Math.round(most);
  if (wish === undefined) slider.value = Math.round(at);
  paint(slider);
  const now = wish ?? at;
  const behind = Math.round(-now);
  const words = status.live
    ? (behind < 2 ? t('live') : t('behind', { time: spoken(behind) }))
    : t('positionOf', { time: spoken(now), all: spoken(most) });
  if (slider.getAttribute('aria-valuetext') !== words) slider.setAttribute('aria-valuetext', words);
  one('scale').classList.toggle('empty', !isUsable);
  const all = status.capacity ? ` / ${clock(status.capacity)}` : '';
  put('behind', !isUsable ? '' : status.live ? t('rewindable', { time: clock(-least) }) + all : clock(now));
  put('ahead', !isUsable || status.live && behind < 2 ? ''
    : status.live ? `−${clock(behind)}` : t('length', { time: clock(most) }));
  drawMarks(isUsable ? least : 0, isUsable ? most : 0);
  put('record', status.recording ? t('recorded', { time: clock(status.recording_seconds ?? 0) }) : t('record'));
}

const steps = [5, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600];

function drawMarks(least, most) {
  const marks = one('marks'), length = most - least;
  const step = steps.find((step) => length / step <= 6) ?? length;
  const wanted = [];
  if (length >= 1) for (let at = Math.ceil(least / step) * step; at <= most; at += step) wanted.push(at);
  while (marks.childElementCount > wanted.length) marks.lastElementChild.remove();
  while (marks.childElementCount < wanted.length) marks.append(make('span'));
  wanted.forEach((at, index) => {
    const node = marks.children[index], text = at === 0 && status.live ? '' : clock(Math.abs(at));
    if (node.textContent !== text) node.textContent = text;
    node.style.setProperty('--at', `${(at - least) / length * 100}%`);
  });
}

function wishFor(seconds, delay) {
  const { least, most } = place();
  wish = Math.max(least, Math.min(most, seconds));
  one('time').value = Math.round(wish);
  drawTime();
  clearTimeout(asking);
  if (delay !== undefined) asking = setTimeout(goThere, delay);
}

async function goThere() {
  const { least, most, at } = place(), wanted = wish;
  if (wanted === undefined) return;
  if (status.live && wanted > -1) await act('POST', 'live');
  else if (status.live && wanted <= least + 1) await act('POST', 'oldest');
  else if (status.live) await act('POST', 'seek', { by: Math.round((wanted - at) * 10) / 10 });
  else await act('POST', 'seek', { to: Math.max(0, Math.min(most, Math.round(wanted))) });
  // The event with the new position may arrive after the answer.
  setTimeout(() => { if (wish === wanted) { wish = undefined; drawTime(); } }, 400);
}

function forget() {
  clearTimeout(asking);
  wish = undefined;
  drawTime();
}

const slider = one('time');
slider.addEventListener('input', () => wishFor(Number(slider.value)));
slider.addEventListener('change', goThere);
whenLetGo(slider, forget);
slider.addEventListener('keydown', (event) => {
  const far = { ArrowLeft: -10, ArrowDown: -10, ArrowRight: 10, ArrowUp: 10, PageDown: -60, PageUp: 60 }[event.key];
  const end = { Home: -Infinity, End: Infinity }[event.key];
  if (far === undefined && end === undefined) return;
  event.preventDefault();
  wishFor(end ?? (wish ?? place().at) + far, 250);
});

// The time display runs on the browser's clock, without requests.
setInterval(() => {
  if (document.hidden || !session.signed_in) return;
  drawTime();
  renew();
}, 500);

// Buttons

function press(id, work) {
  one(id).addEventListener('click', (event) => once(event.currentTarget, work));
}

press('play', () => act('POST', plays() ? 'pause' : 'play'));
for (const id of ['previous', 'next', 'live', 'stop']) press(id, () => act('POST', id));
press('power', () => act('POST', 'power', { on: !!status.standby }));
press('back', () => act('POST', 'seek', { by: -30 }));
press('on', () => act('POST', 'seek', { by: 30 }));
press('mute', () => act('POST', 'mute', { muted: !status.muted }));
press('guest', () => act('POST', 'resume'));
for (const [id, song] of [['keep', 'current'], ['last', 'previous']]) {
  press(id, async () => {
    const kept = await ask('POST', 'keep', { song });
    say(t('songKept', { title: kept.title ?? '' }));
  });
}
press('record', async () => {
  if (status.recording) return act('POST', 'record/stop');
  const local = Date.now() - new Date().getTimezoneOffset() * 60_000;
  const stamp = new Date(local).toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.');
  const ending = status.codec?.startsWith('AAC') ? 'aac' : 'mp3';
  const safe = (status.station ?? 'Radio').replace(/[^\p{L}\p{N} ._-]/gu, '').replace(/^[ .]+/, '').slice(0, 60);
  await act('POST', 'record', { name: `${safe || 'Radio'} ${stamp}.${ending}` });
});

one('sleep').addEventListener('change', async ({ target }) => {
  if (await act('POST', 'sleep', { minutes: Number(target.value) })) return;
  target.value = String(status.sleep_minutes ?? 0);
});
one('sleep').addEventListener('blur', drawSleep);

const volume = one('volume');
// The target volume, from the first touch until the radio has answered.
let loud, turning, isTurning = false;
volume.addEventListener('input', () => {
  loud = Number(volume.value);
  drawVolume();
  clearTimeout(turning);
  turning = setTimeout(turn, 60);
});
volume.addEventListener('change', turn);

/** Sets the volume. Sends one order at a time, and repeats with the latest value. */
async function turn() {
  if (isTurning || loud === undefined) return;
  clearTimeout(turning);
  isTurning = true;
  let sent;
  do {
    sent = loud;
  } while (await act('POST', 'volume', { volume: sent }) && sent !== loud);
  isTurning = false;
  clearTimeout(turning);
  // The event with the new volume may arrive after the answer.
  turning = setTimeout(() => { loud = undefined; drawVolume(); }, 400);
}

// Presets

let presets = [], loading;

async function loadPresets() {
  clearTimeout(loading);
  try {
    const answer = await ask('GET', 'presets');
    presets = answer.presets ?? [];
  } catch (error) {
    // Without presets the radio answers notFound, because the playlist of presets is missing.
    if (error.code !== 'notFound') {
      clearTimeout(loading);
      if (session.signed_in) loading = setTimeout(loadPresets, 3_000);
      return false;
    }
    presets = [];
  }
  const list = one('buttons');
  list.replaceChildren(...presets.map(({ number, name }) => {
    const node = make('button', { 'data-number': number, on: { click: () => once(node, () => tune(number)) } },
      make('span.number', { text: String(number) }), make('span', { text: name }));
    return make('li', {}, node);
  }));
  draw();
  emit('presets');
  return true;
}

const tune = (number) => act('POST', 'tune', { station: number });

function isOn(node) {
  const number = Number(node.dataset.number);
  if (status.preset !== undefined) return status.preset === number;
  return presets[number - 1]?.name === status.station;
}

on('list presets', loadPresets);
on('list moved', loadMoved);

async function loadMoved() {
  try {
    const { moved = [] } = await ask('GET', 'moved');
    one('moved').hidden = moved.length === 0;
    one('moved').firstElementChild.textContent = moved.map(({ preset }) => t('moved', { preset })).join(' ');
  } catch { /* The box does not search for moved stations. */ }
}

// Events

on('status', draw);
on('station', ({ station, before }) => {
  forget();
  if (station && before) say(station);
});
on('event', (event) => {
  if (event.event === 'songKept') say(event.error ? t('songNotKept') : t('songKept', { title: event.title ?? '' }));
  if (event.event === 'recordingStopped') say(event.error ? t('recordingFailed') : t('recordingEnded'));
});

for (const node of document.querySelectorAll('[data-icon]')) icon(node, node.dataset.icon);

let starting;

async function start() {
  clearTimeout(starting);
  try {
    await Promise.all([speak(wantedLanguage() ?? language), begin()]);
    one('lost').hidden = true;
    nameLanguage();
    draw();
    if (session.signed_in) return await signedIn();
    shown = undefined;
    show();
  } catch {
    connect();
    starting = setTimeout(start, 3_000);
  }
}

// Installation as an app needs HTTPS.
if (location.protocol === 'https:') {
  document.head.append(make('link', { rel: 'manifest', href: 'app.webmanifest' }));
}

start();
