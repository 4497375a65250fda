// What needs attention, and the table of messages.

import { get } from './api.js';
import { apply, showMessage, toast, withoutSecondClick } from './dialogs.js';
import { byId, count, element, plural, replaceRows, setText, time } from './dom.js';

const MOST_STUCK = 1000;
const PAGE = 50;

// For each of these it is counted how much waits behind it
const STUCK_PAGE = 20;

const query = { state: 'pending', by: 'key', value: null };

let pages = [];
let next = null;
let shown = '';
let shownStuck = '';
let asked = 0;
let readingOn = false;

// The state of the message whose id is searched for, where it is not the chosen one
let actually = null;

const keyText = (key) => key === '' ? 'no key' : key;

function verbs(message, place) {
  const choices = message.state === 'dead' ? ['requeue', 'discard']
    : isStuck(message.state) ? ['retry', 'skip'] : [];
  return choices.map((verb) => element('button', {
    type: 'button',
    class: verb === 'retry' || verb === 'requeue' ? 'small' : 'small quiet',
    'data-focus': `${place} ${verb} ${message.messageId}`,
    'aria-label': `${verb} message ${message.messageId}`,
    click: async (event) => {
      await withoutSecondClick(event.target, async () => {
        if (await apply(verb, { id: message.messageId }, `the message ${message.name} of ${keyText(message.partitionKey)}`)) {
          await afterVerb();
        }
      });
    },
  }, verb[0].toUpperCase() + verb.slice(1)));
}

const opener = (message, place, text) => element('button', {
  type: 'button',
  class: message.partitionKey === '' ? 'link-like none' : 'link-like',
  'data-focus': `${place} open ${message.messageId}`,
  title: 'Show the message',
  click: () => showMessage(message.messageId),
}, text);

function stuckRow(message) {
  const behind = message.waitingBehind;
  const waits = behind === 0 ? 'nothing waits behind it'
    : `${count(behind)}${behind >= MOST_STUCK ? '+' : ''} ${behind === 1 ? 'waits' : 'wait'} behind it`;
  const when = message.retryAt ? [' · next attempt ', time(message.retryAt)] : [' · the last ', time(message.since)];
  return element('li', { 'data-state': message.state },
    element('div', { class: 'who' },
      element('span', { class: 'badge' }, message.state),
      opener(message, 'stuck', keyText(message.partitionKey)),
      element('span', { class: 'name' }, message.name)),
    element('p', { class: 'reason' }, message.lastError ?? 'no reason was given'),
    element('p', { class: 'aside' }, `${plural(message.attempts, 'failed attempt')}`, ...when, ` · ${waits}`),
    element('div', { class: 'actions' }, ...verbs(message, 'stuck')));
}

export async function refreshStuck() {
  const [blocked, stalled] = await Promise.all(['blocked', 'stalled']
    .map((state) => get('messages', { state, size: STUCK_PAGE })));
  const all = [...blocked.items, ...stalled.items];
  const more = blocked.next !== null || stalled.next !== null || all.length > STUCK_PAGE;
  byId('retry-all').hidden = all.length === 0;
  byId('stuck-empty').hidden = all.length > 0 && !more;
  setText(byId('stuck-empty'), all.length === 0 ? 'Nothing is stalled or blocked.'
    : 'There are more: see the states Stalled and Blocked below.');
  const state = JSON.stringify([all, Math.floor(Date.now() / 10_000)]);
  if (state !== shownStuck) {
    shownStuck = state;
    replaceRows(byId('stuck'), all.slice(0, STUCK_PAGE).map(stuckRow));
  }
}

function messageRow(message) {
  const cell = (label, ...content) => element('td', { 'data-label': label }, ...content);
  const optional = (label, value, text) => element('td', { 'data-label': label, 'data-empty': value ? null : '' }, text);
  return element('tr', { 'data-state': message.state },
    cell('Key', opener(message, 'table', keyText(message.partitionKey))),
    cell('Name', message.name),
    message.state === 'archived' ? cell('Published', time(message.since)) : cell('Stored', time(message.createdAt)),
    optional('Attempts', message.attempts, count(message.attempts)),
    optional('Last error', message.lastError, message.lastError ?? '–'),
    cell('', element('div', { class: 'actions' }, ...verbs(message, 'table'))));
}

const isStuck = (state) => state === 'stalled' || state === 'blocked';

const parameters = () => ({ state: query.state, [query.by]: query.value, size: isStuck(query.state) ? STUCK_PAGE : PAGE });

// After it nothing is where it was: what was read on is begun again
async function afterVerb() {
  pages = [];
  readingOn = false;
  await Promise.all([refreshStuck(), refreshMessages()]);
}

// An empty list must not go on saying that there is nothing
export function forgetLists() {
  const known = byId('stuck').children.length > 0;
  byId('stuck-empty').hidden = false;
  setText(byId('stuck-empty'), known ? 'Last known: it is not known what is stalled or blocked now.'
    : 'It is not known whether anything is stalled or blocked.');
  setText(byId('messages-empty'), `It is not known which messages are ${query.state}.`);
  shown = '';
}

export async function refreshMessages() {
  if (pages.length > 1 || readingOn) {
    if (shown === '') {
      show();
    }
    return; // whoever reads on is not disturbed
  }
  const turn = ++asked;
  const page = await get('messages', parameters());
  if (turn === asked) {
    pages = [page.items];
    next = page.next;
    show();
  }
}

// What is said instead of an empty list
function nothing() {
  if (actually !== null) {
    return `This message is not ${query.state} but ${actually}.`;
  }
  if (next !== null) {
    return 'None among those that were looked at. There are more to look at.';
  }
  return query.value === null ? `No message is ${query.state}.` : `No such message is ${query.state}.`;
}

function show() {
  const all = pages.flat();
  const state = JSON.stringify([all, next, query, actually, Math.floor(Date.now() / 10_000)]);
  if (state === shown) {
    return;
  }
  shown = state;
  byId('messages').hidden = all.length === 0;
  byId('messages-empty').hidden = all.length > 0;
  setText(byId('messages-empty'), nothing());
  byId('more').hidden = next === null;
  setText(byId('messages-time'), query.state === 'archived' ? 'Published' : 'Stored');
  replaceRows(byId('messages').tBodies[0], all.map(messageRow));
}

// Whoever knows an id need not know the state
async function findState() {
  const id = query.value;
  try {
    const found = await get(`messages/${encodeURIComponent(id)}`);
    if (id === query.value) {
      actually = found.message.state;
      show();
    }
  }
  catch (problem) {
    if (problem.status !== 404) {
      throw problem;
    }
  }
}

async function again() {
  pages = [];
  next = null;
  shown = '';
  readingOn = false;
  actually = null;
  try {
    await refreshMessages();
    if (query.by === 'id' && query.value !== null && pages.flat().length === 0) {
      await findState();
    }
  }
  catch (problem) {
    replaceRows(byId('messages').tBodies[0], []);
    toast(problem.message, true);
  }
}

byId('states').addEventListener('click', (event) => {
  const chosen = event.target.dataset.state;
  if (chosen) {
    query.state = chosen;
    for (const button of byId('states').children) {
      button.setAttribute('aria-pressed', String(button.dataset.state === chosen));
    }
    again();
  }
});

byId('search').addEventListener('submit', (event) => {
  event.preventDefault();
  const by = byId('search-by').value;
  const value = byId('search-for').value;
  query.by = by === 'none' ? 'key' : by;
  // Spaces belong to a key, wherever they are, and no key is a key that is empty
  query.value = by === 'none' ? '' : value.trim() === '' ? null : by === 'key' ? value : value.trim();
  again();
});

byId('search-by').addEventListener('change', () => {
  byId('search-for').disabled = byId('search-by').value === 'none';
});

byId('more').addEventListener('click', (event) => withoutSecondClick(event.target, async () => {
  const turn = ++asked;
  readingOn = true;
  try {
    const page = await get('messages', { ...parameters(), after: next });
    if (turn === asked) {
      pages.push(page.items);
      next = page.next;
      show();
    }
  }
  finally {
    readingOn = readingOn && turn !== asked;
  }
}));

byId('retry-all').addEventListener('click', (event) => withoutSecondClick(event.target, async () => {
  if (await apply('retry', { all: true }, 'all that is stalled or blocked')) {
    await afterVerb();
  }
}));
