// Which of several outboxes the page shows: its address says so, and the application has each of them.

import { get, shown } from './api.js';
import { byId, element } from './dom.js';

const DEFAULT = 'default';

function show(name) {
  const address = new URL(location.href);
  address.searchParams.set('outbox', name);
  location.replace(address);
}

export async function chooseOutbox() {
  const names = await get('outboxes');
  if (names.length < 2 && (shown === null || names[0] === shown)) {
    return;
  }
  if (shown === null && names[0] !== DEFAULT) {
    show(names[0]);
    return;
  }
  const choice = byId('outbox');
  // One that is not there any more is shown as what it is: the application says so
  const current = shown ?? DEFAULT;
  const all = names.includes(current) ? names : [current, ...names];
  choice.replaceChildren(...all.map((name) => element('option', { value: name }, name)));
  choice.value = current;
  choice.addEventListener('change', () => show(choice.value));
  choice.hidden = false;
  document.title = `Outbox ${current}`;
}
