// What this instance knows of the consuming side: queues of shards, and what has become of the messages of each consumer.

import { now, showAge, time } from './ages.js';
import { get } from './api.js';
import { showDeadLetters } from './deadletters.js';
import { onRange } from './dialogs.js';
import { ALWAYS, byId, count, element, plural, setText } from './dom.js';

// When the keys were parked whose dead letters are shown
let parkedIn = ALWAYS;

const known = (value) => value !== null && value !== undefined;

const figure = (label, value) => element('td', { class: 'number', 'data-label': label }, known(value) ? count(value) : '–');

const age = (label, instant) => element('td', { 'data-label': label }, known(instant) ? time(instant) : '–');

function stateOf({ state, unattendedMillis }) {
  const text = element('span', {}, element('span', { class: 'badge', 'data-state': state }, state));
  if (known(unattendedMillis)) {
    const since = element('span');
    showAge(since, now() - unattendedMillis, 'length', ' for ');
    text.append(since);
  }
  return element('td', { class: 'state', 'data-label': 'State' }, text);
}

function shardRow(shard, retried) {
  return element('tr', {}, element('td', { 'data-label': 'Queue' }, shard.queue), stateOf(shard),
    figure('Waiting', shard.messages), figure('Consumers', shard.consumers), age('Last delivery here', shard.lastDeliveryHere),
    ...(retried ? [figure('Keys held', shard.heldKeys), figure('Retried', shard.retried),
      figure('Dead letters', shard.deadLettered)] : []));
}

function consumerRow({ name, processed, duplicates, failed, rejected, lastDelivery }) {
  return element('tr', {}, element('td', { 'data-label': 'Consumer' }, name), figure('Processed', processed),
    figure('Duplicates', duplicates), figure('Failed', failed), figure('Rejected', rejected),
    age('Last delivery', lastDelivery));
}

function note({ shards, sampleAgeMillis, purgeFailingSince }) {
  const waiting = shards.reduce((sum, { messages }) => sum + (messages ?? 0), 0);
  const parts = [];
  if (shards.length > 0) {
    parts.push(known(sampleAgeMillis) ? `${plural(waiting, 'message')} in ${plural(shards.length, 'queue')}`
      : `${plural(shards.length, 'queue')}, unknown: the broker does not answer, or is not asked`);
  }
  if (known(purgeFailingSince)) {
    parts.push('old records cannot be removed');
  }
  return parts.join(' · ');
}

// The instance knows all of them, and the database those of a range of time
async function refreshDeadLetters(all) {
  byId('parked-time').hidden = !all.some(({ parkedKeys }) => known(parkedKeys));
  const range = parkedIn;
  const narrowed = range === ALWAYS ? all : await get('inbox/dead-letters', range);
  if (range === parkedIn) {
    showDeadLetters(narrowed, refreshInbox);
  }
}

export async function refreshInbox() {
  const inbox = await get('inbox');
  const { consumers = [], shards = [], deadLetters = [] } = inbox;
  byId('inbox-card').hidden = !known(inbox.settings);
  if (byId('inbox-card').hidden) {
    return;
  }
  setText(byId('inbox-note'), note(inbox));
  const retried = shards.some(({ heldKeys }) => known(heldKeys));
  byId('shards').hidden = shards.length === 0;
  for (const heading of byId('shards').querySelectorAll('.retried')) {
    heading.hidden = !retried;
  }
  byId('shards').tBodies[0].replaceChildren(...shards.map((shard) => shardRow(shard, retried)));
  await refreshDeadLetters(deadLetters);
  byId('consumers').hidden = consumers.length === 0;
  byId('consumers-empty').hidden = consumers.length > 0;
  byId('consumers').tBodies[0].replaceChildren(...consumers.map(consumerRow));
}

onRange('parked', (range) => {
  parkedIn = range;
  setText(byId('parked-summary'), range === ALWAYS ? 'Keys parked at any time' : 'Keys parked in a range of time');
  return refreshInbox();
});
