// What the workers of all instances are doing: this one knows of itself, the others have said so a moment ago.

import { now, showAge, time } from './ages.js';
import { get } from './api.js';
import { byId, count, element, plural, setText } from './dom.js';
import { tile } from './tiles.js';

function showTile(instances) {
  const workers = instances.flatMap((instance) => instance.workers);
  const number = (state) => workers.filter((worker) => worker.state === state).length;
  if (workers.length === 0) {
    tile('workers', '0', 'no instance relays', 'wait');
    return;
  }
  const waiting = number('waiting');
  const relaying = instances.filter((instance) => instance.workers.length > 0).length;
  tile('workers', `${count(number('busy'))} / ${count(workers.length)}`,
    waiting > 0 ? `${count(waiting)} for broker or database` : `busy, in ${plural(relaying, 'instance')}`,
    waiting > 0 ? 'wait' : '');
}

function heardOf(silenceMillis) {
  const node = element('span');
  showAge(node, now() - silenceMillis);
  return node;
}

function rows({ host, pid, startedAt, self, workers, silenceMillis }) {
  const all = workers.length > 0 ? workers : [null];
  return all.map((worker, index) => element('tr', {},
    ...(index > 0 ? [] : [
      element('th', { scope: 'rowgroup', rowspan: all.length }, element('span', { class: 'instance' }, host),
        element('span', { class: 'process' }, `process ${pid}`), ...(self ? [element('span', { class: 'badge' }, 'this one')] : [])),
      element('td', { 'data-label': 'Started', rowspan: all.length }, time(startedAt)),
      element('td', { 'data-label': 'Last heard of', rowspan: all.length }, self ? 'just now' : heardOf(silenceMillis)),
    ]),
    ...(worker === null ? [element('td', { class: 'empty', colspan: 4 }, 'It only writes.')] : [
      element('td', { 'data-label': 'Worker' }, String(worker.id)),
      element('td', { 'data-label': 'State' }, element('span', { class: 'badge', 'data-state': worker.state }, worker.state)),
      element('td', { class: 'number', 'data-label': 'Batches' }, count(worker.batches)),
      element('td', { class: 'number', 'data-label': 'Keys in hand' }, count(worker.keysInHand)),
    ])));
}

// None are told of until one has been heard of
export function forgetWorkers() {
  setText(byId('workers-note'), byId('workers').tBodies.length === 0 ? 'unknown' : 'last known');
}

export async function refreshWorkers() {
  const instances = await get('instances');
  const table = byId('workers');
  showTile(instances);
  setText(byId('workers-note'), plural(instances.length, 'instance'));
  table.replaceChildren(table.tHead, ...instances.map((instance) => element('tbody', {}, ...rows(instance))));
  setText(byId('host'), `${instances[0].host} · process ${instances[0].pid}`);
}
