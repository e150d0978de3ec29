// The settings that can change while the radio runs.

import { act, ask, button, facts, hangUp, language, make, number, one, session, status, t } from './core.js';

export function open(view) {
  const list = make('div');
  view.append(make('h2', { text: t('settings') }), make('p.help', { text: t('settingsHelp') }), list, access(), network());
  load(list);
}

function access() {
  return make('fieldset.sheet', {}, make('legend', { text: t('access') }), make('p.help', { text: t('accessHelp') }),
    make('p', {}, make('code', { text: 'sudo bakelite web --set-password' })),
    make('p.acts', {}, button('', t('signOut'), signOut, { id: 'sign-out' })));
}

function network() {
  const rows = [['address', location.host], ['network', status.network && t(`net.${status.network}`)]];
  return make('fieldset.sheet', {}, make('legend', { text: t('networkName') }),
    make('dl.facts', {}, ...facts(rows)), make('p.help', { text: t('networkHelp') }));
}

async function signOut() {
  if (!await act('POST', 'logout')) return;
  hangUp();
  location.hash = '';
  location.reload();
}

async function load(list) {
  let known, told;
  try {
    [known, told] = await Promise.all([
      fetch('settings.json').then((answer) => answer.json()), ask('GET', 'settings'),
    ]);
  } catch (error) {
    list.replaceChildren(make('p.trouble', { text: error.message }));
    return setTimeout(() => { if (list.isConnected) load(list); }, 3_000);
  }
  const values = new Map((told.settings ?? []).map((setting) => [setting.key, setting]));
  list.replaceChildren(...known.sections.map((section) => {
    const rows = known.settings.filter((setting) => setting.in === section.key && values.has(setting.key))
      .map((setting) => row(setting, values.get(setting.key)));
    if (section.key !== 'advanced') {
      return make('fieldset.sheet', {}, make('legend', { text: section[language] }), ...rows);
    }
    return make('details.sheet', {}, make('summary', { text: section[language] }),
      make('p.help', { text: t('advancedHelp') }), ...rows);
  }));
}

function row(setting, told) {
  const id = setting.key.replace('.', '-'), [label, sentence] = setting[language];
  const answer = make('p.help', { id: `${id}-answer`, role: 'status' });
  const more = { id, 'aria-describedby': `${id}-help ${id}-answer`, disabled: session.read_only };
  const input = field(setting, more);
  const show = (value) => {
    if (setting.flag) input.checked = String(value) === 'true'; else input.value = String(value);
  };
  const reset = button('.plain', t('reset'), async () => {
    const after = await send('DELETE');
    if (after) input.focus();
  }, { label: `${t('reset')}: ${label}` });

  function take({ value, default: usual, applies }) {
    if (value !== undefined) show(value);
    reset.hidden = usual === undefined || String(value) === String(usual);
    reset.title = usual === undefined ? '' : t('usual', { value: shownValue(usual) });
    return applies;
  }

  const shownValue = (value) => setting.flag ? t(String(value) === 'true' ? 'yes' : 'no') : nameOf(setting, String(value));

  async function send(method, body) {
    try {
      const applies = take({ ...told, ...await ask(method, `settings/${setting.key}`, body) });
      answer.classList.remove('trouble');
      answer.textContent = t('changed') + ((applies ?? told.applies) === 'restart' ? `; ${t('afterRestart')}` : '');
      return true;
    } catch (error) {
      return refuse(error.message);
    }
  }

  function refuse(text) {
    answer.textContent = text;
    answer.classList.add('trouble');
    input.setAttribute('aria-invalid', 'true');
    return false;
  }

  input.addEventListener('change', async () => {
    input.removeAttribute('aria-invalid');
    const value = setting.flag ? input.checked : rangeOf(setting) ? Number(input.value) : input.value;
    if (!input.checkValidity() || input.value === '' && typeof value === 'number') return refuse(between(setting));
    if (await send('PUT', { value })) told.value = value;
  });
  take(told);
  const unit = setting.unit && make('span.unit', { text: t(`units.${setting.unit}`) });
  const later = told.applies === 'restart' ? ` · ${t('restarted')}` : '';
  return make(`div.setting${setting.flag ? '.switch' : ''}`, {}, make('label', { for: id, text: label }, make('span.unit', { text: later })),
    make('p.field', {}, input, unit, reset),
    make('p.help', { id: `${id}-help` }, setting.plain?.[language],
      make('small', {}, make('code', { text: setting.key }), ` ${sentence}`)), answer);
}

/** Returns the name of a word in the reader's language. */
const nameOf = ({ word, names }, value) => names?.[language][word.indexOf(value)] ?? value;

const rangeOf = ({ whole, number }) => whole ?? number;

function between(setting) {
  const [least, most] = rangeOf(setting) ?? [];
  return most === undefined ? t('notValid')
    : t('between', { least: number(least, 1), most: number(most), unit: t(`units.${setting.unit}`) });
}

function field(setting, more) {
  if (setting.flag) return make('input', { ...more, type: 'checkbox', role: 'switch' });
  if (setting.zone) return zone(more);
  if (setting.word) return make('select', more, ...setting.word.map((value) => make('option', { value, text: nameOf(setting, value) })));
  const [min, max] = rangeOf(setting);
  return make('input', { ...more, type: 'number', min, max, step: setting.whole ? 1 : 'any', inputmode: 'decimal' });
}

function zone(more) {
  const zones = Intl.supportedValuesOf?.('timeZone') ?? [];
  if (!one('zones')) {
    document.body.append(make('datalist', { id: 'zones' }, ...zones.map((zone) => make('option', { value: zone }))));
  }
  return make('input', { ...more, type: 'text', list: 'zones', maxlength: '64', autocomplete: 'off' });
}
