// Recordings and kept songs: play on the box, download, rename, delete.

import { act, ask, button, clock, hear, language, make, number, on, once, say, session, sure, t } from './core.js';

export function open(view) {
  const told = make('p.help', { role: 'status' }), rows = make('ol.rows');
  const more = button('', t('more'), () => load(rows.childElementCount), { hidden: true });
  view.append(make('h2', { text: t('recordings') }), told, rows, more);

  async function load(from) {
    try {
      const { recordings = [] } = await ask('GET', `recordings?from=${from}`);
      if (from === 0) rows.replaceChildren();
      rows.append(...recordings.map(row));
      told.textContent = rows.childElementCount ? '' : t('noRecordings');
      more.hidden = recordings.length < 100;
    } catch (error) {
      told.textContent = error.message;
    }
  }

  function row(entry) {
    const { recording, bytes, modified, duration, growing } = entry;
    const place = encodeURIComponent(recording);
    const date = modified && new Date(modified).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
    const size = `${number(bytes / 1_000_000, 1)} MB`;
    const figures = [date, duration && clock(duration), size, growing && t('growing')];
    const play = hear('', recording, `recordings/${place}/play`);
    const save = make('a.plain', { text: t('download'), href: `recordings/${place}`, download: true,
      label: t('downloadOf', { name: recording }) });
    const rename = button('', t('rename'), () => openForm(node, entry),
      { disabled: growing || session.read_only, label: `${t('rename')}: ${recording}` });
    const remove = button('', t('remove'), () => drop(node, recording, place),
      { disabled: growing || session.read_only, label: `${t('remove')}: ${recording}` });
    play.disabled = !!session.read_only;
    const node = make('li', {},
      make('p.what', {}, make('strong', { text: recording }),
        make('span', { text: figures.filter(Boolean).join(' · ') })),
      make('p.acts', {}, play, save, rename, remove));
    return node;
  }

  function openForm(node, entry) {
    rows.querySelector('form')?.remove();
    const { recording } = entry, place = encodeURIComponent(recording);
    const old = recording.split('/').at(-1).replace(/\.[^.]*$/, '');
    const input = make('input', { id: 'new-name', type: 'text', required: true, maxlength: '120', value: old });
    const focus = (on) => [...on.querySelectorAll('button')].at(-2).focus();
    const close = () => { form.remove(); focus(node); };
    const form = make('form', { id: 'rename' }, make('label', { for: input.id, text: t('newName') }), input,
      make('p.acts', {}, make('button.strong', { text: t('save'), type: 'submit' }),
        make('button', { text: t('cancel'), on: { click: close } })));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      once(form, async () => {
        const { recording: name } = await ask('PATCH', `recordings/${place}`, { name: input.value });
        const renamed = row({ ...entry, recording: name });
        node.replaceWith(renamed);
        say(t('renamed', { name }));
        focus(renamed);
      });
    });
    form.addEventListener('keydown', (event) => { if (event.key === 'Escape') close(); });
    node.append(form);
    input.select();
  }

  async function drop(node, recording, place) {
    if (!await sure(t('removeOf', { name: recording }), t('remove'))) return;
    if (!await act('DELETE', `recordings/${place}`)) return;
    say(t('presetRemoved', { name: recording }));
    const next = node.nextElementSibling ?? node.previousElementSibling;
    node.remove();
    if (!next) told.textContent = t('noRecordings');
    (next?.querySelector('button:enabled') ?? view).focus();
  }

  load(0);
  return [on('event', ({ event }) => {
    if (event === 'recordingStopped' || event === 'songKept') load(0);
  })];
}
