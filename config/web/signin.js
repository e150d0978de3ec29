// The sign-in, with the code on the radio's display or with the owner's password.

import { ask, begin, make, once, session, t } from './core.js';

export function open(view, { signedIn }) {
  const isOwn = session.password === true, kind = isOwn ? 'password' : 'code';
  const code = make('input', {
    id: 'code', type: isOwn ? 'password' : 'text', autocapitalize: isOwn ? 'off' : 'characters', maxlength: 256,
    autocomplete: 'current-password', spellcheck: 'false', required: true, 'aria-describedby': 'code-help code-answer',
  });
  const answer = make('p.trouble', { id: 'code-answer', role: 'alert' });
  const form = make('form.sheet.narrow', {},
    make('h2', { text: t('signin') }),
    make('label', { for: 'code', text: t(kind) }), code,
    make('p.help', { id: 'code-help', text: t(`${kind}Help`) }), answer,
    make('button.strong', { text: t('signin'), type: 'submit' }));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    once(form, enter);
  });

  async function enter() {
    answer.textContent = '';
    try {
      Object.assign(session, await ask('POST', 'login', { password: code.value }), { signed_in: true });
      await begin();
      await signedIn();
    } catch (error) {
      answer.textContent = error.status === 401 || error.status === 403 ? t(`${kind}Wrong`)
        : error.status === 429 ? t('tooManyTries', { minutes: Math.ceil((error.after || 60) / 60) }) : error.message;
      code.select();
    }
  }

  view.append(form);
  code.focus();
}
