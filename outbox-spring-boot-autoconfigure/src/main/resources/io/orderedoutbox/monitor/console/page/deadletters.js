// The dead letters of shards: how many there are, which keys wait for one, and what an operator can do.

import { now, showAge } from './ages.js';
import { post } from './api.js';
import { ask, toast, withoutSecondClick } from './dialogs.js';
import { byId, count, element, plural, replaceRows } from './dom.js';

// A listener processes them one after the other meanwhile
const REPLAY_TIMEOUT = 3_600_000;

const known = (value) => value !== null && value !== undefined;

const figure = (label, value, more = false) => element('td', { class: 'number', 'data-label': label },
  known(value) ? count(value) + (more ? '+' : '') : '–');

function ageOf(label, millis) {
  const cell = element('td', { 'data-label': label });
  if (known(millis)) {
    const text = element('span');
    showAge(text, now() - millis);
    cell.append(text);
  }
  else {
    cell.append('–');
  }
  return cell;
}

const button = (text, focus, label, kind, work) => element('button', {
  type: 'button', class: `small ${kind}`, 'data-focus': focus, 'aria-label': label,
  click: (event) => withoutSecondClick(event.target, work),
}, text);

const verbs = (...buttons) => element('td', { class: 'verbs' }, element('div', { class: 'actions' }, ...buttons));

function whatIsLeft(left) {
  if (!known(left)) {
    return ', and it is not known how many are left: the log says why';
  }
  return left > 0 ? `, ${count(left)} left: the log says why` : '';
}

async function replay({ shards, messages, parkedKeys }, refresh) {
  const sequenced = known(parkedKeys);
  if (!await ask({
    title: `Replay the dead letters of ${shards}?`,
    text: sequenced ? 'The listener of this instance processes them, in their order. What fails again stays, with all that follows it.'
      : 'They are sent again to the queues that they came from. What their keys have had since then was processed before them.',
    foretold: known(messages) ? `Now: ${plural(messages, 'message')} in the queue.` : 'How many there are is not known.',
    yes: 'Replay',
    danger: false,
    possible: true,
  })) {
    return;
  }
  const { affected, left } = await post('inbox/replay', { shards }, REPLAY_TIMEOUT);
  toast(`Replay: ${plural(affected, 'message')} done${whatIsLeft(left)}`, left !== 0);
  await refresh();
}

async function discard(shards, id, refresh) {
  const withId = id === null;
  if (!await ask({
    title: withId ? `Discard a dead letter of ${shards}?` : `Discard dead letter ${id} of ${shards}?`,
    text: 'It is deleted for ever. What follows it goes on with the next replay.',
    foretold: '',
    yes: 'Discard',
    danger: true,
    possible: true,
    withId,
  })) {
    return;
  }
  const chosen = withId ? byId('confirm-id').value.trim() : id;
  const { affected } = await post('inbox/discard', { shards, id: chosen });
  toast(affected > 0 ? 'Discard: 1 message done' : `There is no dead letter '${chosen}' of ${shards}`, affected === 0);
  await refresh();
}

function row(letters, sequenced, refresh) {
  const { shards, messages, parkedKeys, sequenced: waiting, more, oldestMillis } = letters;
  const none = messages === 0 && !waiting;
  return element('tr', {}, element('td', { 'data-label': 'Dead letters of' }, shards), figure('In the queue', messages),
    ...(sequenced ? [figure('Keys parked', parkedKeys, more), figure('Dead letters of these', waiting, more),
      ageOf('Oldest', oldestMillis)] : []),
    verbs(...(none ? [] : [
      button('Replay', `replay ${shards}`, `replay the dead letters of ${shards}`, 'go', () => replay(letters, refresh)),
      button('Discard…', `discard of ${shards}`, `discard a dead letter of ${shards}`, 'quiet',
        () => discard(shards, null, refresh)),
    ])));
}

const parkedRow = (shards, { key, messageId, ageMillis }, refresh) => element('tr', {},
  element('td', { 'data-label': 'Key parked' }, key), element('td', { 'data-label': 'Waits for' }, messageId),
  ageOf('Since', ageMillis),
  verbs(button('Discard', `discard ${shards} ${messageId}`, `discard dead letter ${messageId}`, 'quiet',
    () => discard(shards, messageId, refresh))));

export function showDeadLetters(all, refresh) {
  const sequenced = all.some(({ parkedKeys }) => known(parkedKeys));
  byId('dead-letters').hidden = all.length === 0;
  for (const heading of byId('dead-letters').querySelectorAll('.sequenced')) {
    heading.hidden = !sequenced;
  }
  replaceRows(byId('dead-letters').tBodies[0], all.map((letters) => row(letters, sequenced, refresh)));
  const parked = all.flatMap(({ shards, heads }) => (heads ?? []).map((head) => parkedRow(shards, head, refresh)));
  byId('parked').hidden = parked.length === 0;
  replaceRows(byId('parked').tBodies[0], parked);
}
