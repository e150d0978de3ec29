// The volume of each room.

import { act, ask, button, icon, level, make, on, one, t, whenLetGo } from './core.js';

export function open(view) {
  const told = make('p.help', { role: 'status' }), rows = make('ul.rows');
  view.append(make('h2', { text: t('rooms') }), told, rows);
  // True while a slider is being moved; with a pending order, it blocks redrawing of the sliders.
  let held = false, orders = 0;

  async function load() {
    if (held || orders) return;
    try {
      const { rooms = [], problem } = await ask('GET', 'rooms');
      if (held || orders) return;
      told.textContent = problem ?? (rooms.length ? '' : t('noRooms'));
      const focus = document.activeElement?.id;
      rows.replaceChildren(...rooms.map(row));
      if (focus) one(focus)?.focus();
    } catch (error) {
      if (held || orders) return;
      rows.replaceChildren();
      told.textContent = error.status === 409 ? t('noRooms') : error.message;
    }
  }

  function row(room) {
    const id = room.number, off = room.connected === false;
    const mute = button('.round', '', () => act('PATCH', `rooms/${id}`, { muted: !room.muted }),
      { id: `mute-${id}`, 'aria-pressed': String(!!room.muted), disabled: off, label: `${t('mute')}: ${room.room}` });
    icon(mute, room.muted ? 'silent' : 'sound');
    const { slider, figure } = level(`room-${id}`, room.volume, async (volume) => {
      held = false;
      orders += 1;
      await act('PATCH', `rooms/${id}`, { volume });
      orders -= 1;
      load();
    }, { disabled: off, label: `${t('volume')}: ${room.room}` });
    slider.addEventListener('input', () => { held = true; });
    whenLetGo(slider, () => {
      held = false;
      load();
    });
    return make('li', {}, make('p.what', {}, make('strong', { text: room.room }),
      off ? make('span.trouble', { text: t('notConnected') }) : undefined),
    make('div.level', {}, mute, slider, figure));
  }

  load();
  return [on('list rooms', load)];
}
