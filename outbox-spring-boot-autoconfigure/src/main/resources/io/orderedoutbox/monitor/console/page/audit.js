// What operators did, the last first. It is asked for when it is opened, and not again and again: operators do little.

import { time } from './ages.js';
import { get } from './api.js';
import { onRange, withoutSecondClick } from './dialogs.js';
import { ALWAYS, byId, count, element, setText } from './dom.js';

const PAGE = 20;

let next = null;

let range = ALWAYS;

// What is asked for is not shown after it was hidden
let asked = 0;

const cell = (label, ...content) => element('td', { 'data-label': label }, ...content);

function row({ at, operator, verb, selection, affected, passedOver, error }) {
  return element('tr', {}, cell('When', time(at)), cell('Who', operator ?? 'not known'), cell('Verb', verb.toLowerCase()),
    cell('Of what', selection), element('td', { class: 'number', 'data-label': 'Changed' }, count(affected)),
    element('td', { class: 'number', 'data-label': 'Passed over' }, count(passedOver)),
    element('td', { 'data-label': 'Error', 'data-empty': error ? null : '' }, error ?? '–'));
}

async function read(after) {
  const turn = ++asked;
  const page = await get('audit', { size: PAGE, after, ...range });
  if (turn !== asked) {
    return;
  }
  const body = byId('audit').tBodies[0];
  if (after === null) {
    body.replaceChildren();
  }
  body.append(...page.items.map(row));
  next = page.next ?? null;
  byId('audit').hidden = body.children.length === 0;
  byId('audit-empty').hidden = body.children.length > 0;
  setText(byId('audit-empty'), range === ALWAYS ? 'Nothing is recorded of what operators did.'
    : 'Nothing is recorded of what operators did in that time.');
  byId('audit-more').hidden = next === null;
}

function hide() {
  asked += 1;
  for (const id of ['audit', 'audit-empty', 'audit-more']) {
    byId(id).hidden = true;
  }
}

onRange('audit', (chosen) => {
  range = chosen;
  return read(null);
});

byId('audit-show').addEventListener('click', (event) => withoutSecondClick(event.target, async () => {
  const opens = byId('audit-show').getAttribute('aria-expanded') === 'false';
  if (opens) {
    await read(null);
  }
  else {
    hide();
  }
  byId('audit-range').hidden = !opens;
  byId('audit-show').setAttribute('aria-expanded', String(opens));
  setText(byId('audit-show'), opens ? 'Hide' : 'Show');
}));

byId('audit-more').addEventListener('click', (event) => withoutSecondClick(event.target, () => read(next)));
