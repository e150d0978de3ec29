// The presets: add, edit, sort, remove, import, export.

import { act, button, icon, isOff, make, on, once, one, say, status, sure, t } from './core.js';
import { hostOf, m3uOf, read } from './lists.js';

export function open(view, { presets, loadPresets }) {
  const ends = [];
  const rows = make('ol.rows.sorted');
  view.append(make('h2', { text: t('presets') }), make('p.help', { text: t('sortHelp') }), rows,
    addForm(), files());

  /** Redraws the list and preserves the focus. */
  function draw() {
    const focus = rows.contains(document.activeElement) ? document.activeElement.id : '';
    if (rows.querySelector('form')?.contains(document.activeElement)) return;
    rows.replaceChildren(...presets().map(row));
    if (focus) one(focus)?.focus();
  }

  async function changed() {
    await loadPresets();
    draw();
  }

  function row(preset) {
    const { number, name: title, url } = preset, count = presets().length;
    const node = make('li', { 'data-number': number });
    const grip = make('button.round.grip', { id: `grip-${number}`, label: t('moveOf', { name: title, number }) });
    icon(grip, 'grip');
    grip.addEventListener('keydown', (event) => {
      const to = { ArrowUp: number - 1, ArrowLeft: number - 1, ArrowDown: number + 1, ArrowRight: number + 1,
        Home: 1, End: count }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      move(number, to, 'grip');
    });
    grip.addEventListener('pointerdown', (event) => drag(event, node, grip));
    const named = (kind, text = kind) => ({ id: `${kind}-${number}`, label: `${t(text)}: ${title}` });
    const step = (kind, to) => {
      const key = button('.round', '', () => move(number, to, kind),
        { ...named(kind), disabled: to < 1 || to > count });
      icon(key, kind);
      return key;
    };
    const edit = button('', t('change'), () => openForm(node, preset), named('edit', 'change'));
    const remove = button('', t('remove'), async () => {
      if (!await sure(t('removeOf', { name: title }), t('remove'))) return;
      if (await act('DELETE', `presets/${number}`)) {
        say(t('presetRemoved', { name: title }));
        await changed();
        (one(`edit-${Math.min(number, presets().length)}`) ?? view).focus();
      }
    }, named('remove'));
    node.append(grip, make('p.what', {}, make('strong', { text: `${number} ${title}` }),
      make('span', { text: url })),
    make('p.acts', {}, step('up', number - 1), step('down', number + 1), edit, remove));
    return node;
  }

  async function move(number, to, kind) {
    if (to < 1 || to > presets().length || to === number) return;
    if (!await act('POST', `presets/${number}/move`, { number: to })) return;
    const { name: title } = presets()[number - 1];
    await changed();
    const again = one(`${kind}-${to}`);
    (again && !again.disabled ? again : one(`grip-${to}`))?.focus();
    say(t('preset', { number: to, name: title }));
  }

  /** Moves the row with the pointer; its position on release becomes the preset's number. */
  function drag(event, node, grip) {
    if (event.button !== 0 || document.onpointerup) return;
    event.preventDefault();
    grip.focus();
    node.classList.add('held');
    const from = Number(node.dataset.number);
    const follow = ({ clientY }) => {
      const rest = [...rows.children].filter((other) => other !== node);
      const before = rest.find((other) => {
        const { top, height } = other.getBoundingClientRect();
        return clientY < top + height / 2;
      });
      if (before ? node.nextElementSibling !== before : node.nextElementSibling) {
        rows.insertBefore(node, before ?? null);
      }
    };
    const end = (isDone) => {
      document.removeEventListener('pointermove', follow);
      document.onpointerup = document.onpointercancel = null;
      node.classList.remove('held');
      const to = [...rows.children].indexOf(node) + 1;
      if (isDone && to !== from) move(from, to, 'grip').then(draw); else draw();
    };
    // On the document instead of the handle, because a node that moves in the document loses the pointer.
    document.addEventListener('pointermove', follow);
    document.onpointerup = () => end(true);
    document.onpointercancel = () => end(false);
  }

  function openForm(node, preset) {
    const { number } = preset;
    rows.querySelector('form')?.remove();
    const form = stationForm(`edit-form-${number}`, t('save'), preset.name, preset.url, async (values) => {
      const changes = Object.fromEntries(Object.entries(values).filter(([key, value]) => value !== preset[key]));
      // Another client may have moved the preset.
      if (presets()[number - 1]?.url !== preset.url) return close();
      if (Object.keys(changes).length && !await act('PATCH', `presets/${number}`, changes)) return;
      form.remove();
      await changed();
      one(`edit-${number}`)?.focus();
    });
    const close = () => { form.remove(); draw(); one(`edit-${number}`)?.focus(); };
    form.lastElementChild.append(make('button', { text: t('cancel'), on: { click: close } }));
    form.addEventListener('keydown', (event) => { if (event.key === 'Escape') close(); });
    node.append(form);
    form.querySelector('input').focus();
  }

  function addForm() {
    const form = stationForm('new', t('add'), '', '', async (values) => {
      if (!await act('POST', 'presets', values)) return;
      say(t('added', { name: values.name }));
      form.reset();
      await changed();
    });
    const keep = button('', t('keepPreset'), async () => {
      if (!await act('POST', 'presets')) return;
      say(t('added', { name: status.station ?? '' }));
      await changed();
    });
    const drawKeep = () => { keep.disabled = isOff(); };
    ends.push(on('status', drawKeep));
    form.lastElementChild.append(keep);
    form.classList.add('sheet');
    form.prepend(make('h3', { text: t('addStation') }));
    drawKeep();
    return form;
  }

  function files() {
    const input = make('input', { type: 'file', id: 'file', accept: '.m3u,.m3u8,.pls,.opml,.xml' });
    input.addEventListener('change', async () => {
      const [file] = input.files;
      if (!file) return;
      await once(input, async () => {
        if (file.size > 2_000_000) return say(t('fileTooLarge'), true);
        await take(read(await file.text()), presets(), changed);
      });
      // Allows a second selection of the same file.
      input.value = '';
    });
    const save = button('', t('export'), () => {
      const url = URL.createObjectURL(new Blob([m3uOf(presets())], { type: 'audio/x-mpegurl' }));
      make('a', { href: url, download: 'bakelite.m3u' }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    }, { id: 'export' });
    return make('div.sheet', {}, make('h3', { text: t('files') }),
      make('label', { for: 'file', text: t('import') }), make('p.field', {}, input),
      make('p.acts', {}, save), make('p.help', { text: t('exportHelp') }));
  }

  ends.push(on('presets', draw));
  draw();
  return ends;
}

/** Adds the new stations of a file to the presets after the reader's confirmation. */
async function take(stations, presets, changed) {
  const known = new Set(presets.map(({ url }) => url));
  const fresh = stations.filter(({ url }) => !known.has(url));
  if (!fresh.length) return say(t(stations.length ? 'presetAlready' : 'nothingInFile'), true);
  // Station names in a list are not trustworthy, so the question shows the host names.
  const names = [...new Set(fresh.map(({ url }) => hostOf(url)))].join(', ');
  if (!await sure(t('addAll', { count: fresh.length, names }), t('add'))) return;
  let count = 0;
  for (const station of fresh) {
    if (!await act('POST', 'presets', station)) break;
    count += 1;
  }
  await changed();
  if (count === fresh.length) say(t('addedCount', { count }));
}

/** Creates a form for a station's name and address. */
export function stationForm(id, text, title, url, save) {
  const names = make('input', { id: `${id}-name`, type: 'text', required: true, maxlength: '100', value: title });
  const places = make('input', {
    id: `${id}-url`, type: 'text', inputmode: 'url', required: true, maxlength: '2000', value: url,
    autocapitalize: 'none', spellcheck: 'false', placeholder: 'https://',
  });
  const form = make('form', { id }, make('label', { for: names.id, text: t('name') }), names,
    make('label', { for: places.id, text: t('address') }), places,
    make('p.acts', {}, make('button.strong', { text, type: 'submit' })));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    once(form, () => save({ name: names.value.trim(), url: places.value.trim() }));
  });
  return form;
}
