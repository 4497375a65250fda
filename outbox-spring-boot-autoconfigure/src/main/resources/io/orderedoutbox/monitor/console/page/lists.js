// What needs attention, and the table of messages.

import { time } from './ages.js';
import { get } from './api.js';
import { apply, onRange, showMessage, TAKES_OUT, toast, withoutSecondClick } from './dialogs.js';
import { ALWAYS, byId, count, element, plural, replaceRows, setText } from './dom.js';
import { exportList } from './export.js';

const MOST_STUCK = 1000;
const PAGE = 50;

// For each of these it is counted how much waits behind it
const STUCK_PAGE = 20;

const FAILED = ['stalled', 'blocked', 'dead'];

// Of what needs attention
let stuckRange = ALWAYS;

const query = { state: 'pending', by: 'key', value: null, ...ALWAYS };

let pages = [];
let next = null;
let shown = '';
let shownStuck = '';
let shownGroups = '';
let asked = 0;
let readingOn = false;

// The state of the message whose id is searched for, where it is not the chosen one
let actually = null;

const keyText = (key) => key === '' ? 'no key' : key;

const capitalised = (word) => word[0].toUpperCase() + word.slice(1);

// One colour for what goes on, and one for what is taken out
const verbButton = (verb, text, focus, label, selection, what) => element('button', {
  type: 'button',
  class: TAKES_OUT.includes(verb) ? 'small quiet' : 'small go',
  'data-focus': focus,
  'aria-label': label,
  click: async (event) => {
    await withoutSecondClick(event.target, async () => {
      if (await apply(verb, selection, what)) {
        await afterVerb();
      }
    });
  },
}, text);

function verbs(message, place) {
  const choices = message.state === 'dead' ? ['requeue', 'discard']
    : message.state === 'delayed' ? ['release']
    : isStuck(message.state) ? ['retry', 'skip'] : [];
  return choices.map((verb) => verbButton(verb, capitalised(verb), `${place} ${verb} ${message.messageId}`,
    `${verb} message ${message.messageId}`, { id: message.messageId },
    `the message ${message.name} of ${keyText(message.partitionKey)}`));
}

const destination = ({ exchange, routingKey }) => exchange === '' ? `queue '${routingKey}'` : `exchange '${exchange}'`;

const listLink = (text, focus, title, shown) => element('button', {
  type: 'button', class: 'link-like', 'data-focus': focus, title, click: shown,
}, text);

// A verb reaches the whole group, so that a page that shows a part of it offers none
function groupVerbs({ group, keys, deadLetters, example }) {
  if (stuckRange !== ALWAYS) {
    return [];
  }
  const where = destination(example);
  return [
    ...(keys > 0 ? [['retry', `all that waits for ${where}`], ['skip', `all that waits for ${where}`]] : []),
    ...(deadLetters > 0 ? [['requeue', `the dead letters for ${where}`], ['discard', `the dead letters for ${where}`]] : []),
  ].map(([verb, what]) => verbButton(verb, `${capitalised(verb)} group`, `group ${verb} ${group}`,
    `${verb} group ${group}`, { group }, what));
}

// What one remedy is enough for
function groupRow(all, more) {
  const { group, keys, stalled, blocked, deadLetters, cause, oldest, example } = all;
  const shown = (counted, noun) => plural(counted, noun).replace(/^\S+/, (number) => number + (more ? '+' : ''));
  const list = (state, text) => listLink(text, `group ${state} ${group}`, 'Show the messages',
    () => choose(state, 'group', group, stuckRange));
  const counts = [
    ...(stalled > 0 ? [list('stalled', `${count(stalled)} stalled`)] : []),
    ...(blocked > 0 ? [list('blocked', `${count(blocked)} blocked`)] : []),
    ...(deadLetters > 0 ? [list('dead', `${count(deadLetters)} dead`)] : []),
  ].flatMap((node) => [node, ' · ']);
  const summary = keys > 0 ? `${shown(keys, 'key')} ${keys === 1 && !more ? 'waits' : 'wait'} for ${destination(example)}`
    : `${shown(deadLetters, 'dead letter')} for ${destination(example)}`;
  return element('li', { 'data-state': blocked > 0 ? 'blocked' : keys > 0 ? 'stalled' : 'dead' },
    element('div', { class: 'who' }, element('strong', {}, summary)),
    element('p', { class: 'reason', title: example.lastError ?? '' }, cause),
    element('p', { class: 'aside' }, ...counts, 'oldest stored ', time(oldest), ' · for example ',
      opener(example, 'group', keyText(example.partitionKey))),
    element('div', { class: 'actions' }, ...groupVerbs(all)));
}

function showGroups({ items, more }) {
  const groups = items.filter(({ keys, deadLetters }) => keys > 1 || deadLetters > 1);
  const state = JSON.stringify([groups, more]);
  if (state !== shownGroups) {
    shownGroups = state;
    replaceRows(byId('groups'), groups.map((group) => groupRow(group, more)));
  }
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
    : listLink(`${count(behind)}${behind >= MOST_STUCK ? '+' : ''} ${behind === 1 ? 'waits' : 'wait'} behind it`,
      `stuck behind ${message.messageId}`, 'Show what waits', () => choose('pending', 'key', message.partitionKey));
  const when = message.retryAt ? [' · next attempt ', time(message.retryAt)] : [' · the last ', time(message.since)];
  return element('li', { 'data-state': message.state },
    element('div', { class: 'who' },
      element('span', { class: 'badge' }, message.state),
      opener(message, 'stuck', keyText(message.partitionKey)),
      element('span', { class: 'name' }, message.name)),
    element('p', { class: 'reason' }, message.lastError ?? 'no reason was given'),
    element('p', { class: 'aside' }, `${plural(message.attempts, 'failed attempt')} · for ${destination(message)}`,
      ...when, ' · ', waits),
    element('div', { class: 'actions' }, ...verbs(message, 'stuck')));
}

const nothingStuck = (range, more) => more ? 'None among those that were looked at: see the states Stalled and Blocked below.'
  : range === ALWAYS ? 'Nothing is stalled or blocked.' : 'Nothing of that time is stalled or blocked.';

export async function refreshStuck() {
  const range = stuckRange;
  const [groups, blocked, stalled] = await Promise.all([get('groups', range),
    ...['blocked', 'stalled'].map((state) => get('messages', { state, size: STUCK_PAGE, ...range }))]);
  if (range !== stuckRange) {
    return;
  }
  showGroups(groups);
  const all = [...blocked.items, ...stalled.items];
  const more = blocked.next !== null || stalled.next !== null || all.length > STUCK_PAGE;
  byId('retry-all').hidden = all.length === 0 || range !== ALWAYS;
  byId('stuck-empty').hidden = all.length > 0 && !more;
  setText(byId('stuck-empty'), all.length === 0 ? nothingStuck(range, more)
    : 'There are more: see the states Stalled and Blocked below.');
  const state = JSON.stringify(all);
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
    message.state === 'archived' ? cell('Published', time(message.since))
      : message.state === 'delayed' ? cell('Not before', time(message.deliverAt)) : cell('Stored', time(message.createdAt)),
    optional('Attempts', message.attempts, count(message.attempts)),
    optional('Last error', message.lastError, message.lastError ?? '–'),
    cell('', element('div', { class: 'actions' }, ...verbs(message, 'table'))));
}

const isStuck = (state) => state === 'stalled' || state === 'blocked';

const parameters = () => ({
  state: query.state,
  [query.by]: query.value,
  from: query.from,
  until: query.until,
  size: isStuck(query.state) ? STUCK_PAGE : PAGE,
});

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
  const isNarrowed = [query.value, query.from, query.until].some((limit) => limit !== null);
  return isNarrowed ? `No such message is ${query.state}.` : `No message is ${query.state}.`;
}

function show() {
  const all = pages.flat();
  const state = JSON.stringify([all, next, query, actually]);
  if (state === shown) {
    return;
  }
  shown = state;
  byId('messages').hidden = all.length === 0;
  byId('messages-empty').hidden = all.length > 0;
  setText(byId('messages-empty'), nothing());
  byId('more').hidden = next === null;
  setText(byId('messages-time'), { archived: 'Published', delayed: 'Not before' }[query.state] ?? 'Stored');
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

const stateButtons = [...byId('states').children];

export const isState = (name) => stateButtons.some((button) => button.dataset.state === name);

// Shows the messages of a state: all of them, or those that have something in common
export function choose(state, by = 'key', value = null, range = ALWAYS) {
  Object.assign(query, { state, by, value, ...range });
  for (const limit of ['from', 'until']) {
    if (range === ALWAYS || range === stuckRange) {
      byId(`search-${limit}`).value = range === ALWAYS ? '' : byId(`stuck-${limit}`).value;
    }
  }
  for (const button of stateButtons) {
    button.setAttribute('aria-pressed', String(button.dataset.state === state));
  }
  byId('search-by').value = by === 'key' && value === '' ? 'none' : by;
  byId('search-for').value = value ?? '';
  byId('search-for').disabled = byId('search-by').value === 'none';
  history.replaceState(null, '', `#${state}`);
  return again();
}

byId('states').addEventListener('click', (event) => {
  const chosen = event.target.dataset.state;
  if (chosen) {
    // What has not failed belongs to no group
    const narrowed = query.by !== 'group' || FAILED.includes(chosen);
    choose(chosen, narrowed ? query.by : 'key', narrowed ? query.value : null, { from: query.from, until: query.until });
  }
});

onRange('search', (range) => {
  const by = byId('search-by').value;
  const value = byId('search-for').value;
  query.by = by === 'none' ? 'key' : by;
  // Spaces belong to a key, wherever they are, and no key is a key that is empty
  query.value = by === 'none' ? '' : value.trim() === '' ? null : by === 'key' ? value : value.trim();
  Object.assign(query, range);
  return again();
}, 'search');

onRange('stuck', (range) => {
  stuckRange = range;
  shownGroups = '';
  setText(byId('stuck-time'), range === ALWAYS ? 'Any time' : 'Of a range of time');
  return refreshStuck();
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

byId('export').addEventListener('click', (event) => withoutSecondClick(event.target, () => {
  const { size, ...list } = parameters();
  return exportList(list);
}));

byId('retry-all').addEventListener('click', (event) => withoutSecondClick(event.target, async () => {
  if (await apply('retry', { all: true }, 'all that is stalled or blocked')) {
    await afterVerb();
  }
}));
