// Billing: what its queues hold, who owns them, and what the newest invoices say.

import { age, byId, count, element, money, plural, setData, setText } from './dom.js';

const OWNER = {
  HERE: 'this instance',
  ELSEWHERE_OR_IDLE: 'another one, or idle',
  NOBODY: 'nobody',
  UNKNOWN: 'unknown'
};
const OWNER_STATE = { HERE: 'good', NOBODY: 'bad', UNKNOWN: 'waiting' };

export function showBilling(billing, totals, orders) {
  byId('billing-off').hidden = billing !== null;
  byId('billing').hidden = billing === null;
  setData(document.body, 'billing', billing === null ? 'off' : 'on');
  if (billing !== null) {
    showTiles(billing, totals);
    showSwitch(billing.failing, billing.invoices, orders);
    showRows('shards', billing.shards.map(shardCells));
    showRows('invoices', billing.invoices.map(invoiceCells));
  }
}

const sum = (shards, field) => shards.reduce((total, shard) => total + (shard[field] ?? 0), 0);

function showTiles(billing, totals) {
  const heldOrders = sum(billing.shards, 'heldKeys');
  setText(byId('billed'), count(billing.billed));
  setText(byId('billed-note'), `of ${count(totals.committed)} · ${count(billing.processed)} by this instance`);
  setText(byId('duplicates'), count(billing.duplicates));
  setText(byId('duplicates-note'), billing.duplicates === 0 ? 'no message came twice' : 'came again, and were skipped');
  setText(byId('held'), count(heldOrders));
  setText(byId('held-note'), heldOrders === 0 ? 'nothing waits for a failure'
    : `${plural(sum(billing.shards, 'heldMessages'), 'message')} wait, in order`);
  setData(byId('held-tile'), 'state', heldOrders === 0 ? '' : 'waiting');
  setText(byId('failed'), count(billing.failed));
  setText(byId('failed-note'), `rolled back · ${plural(sum(billing.shards, 'deadLettered'), 'dead letter')}`);
}

function showSwitch(failing, invoices, orders) {
  setText(byId('fail'), failing ? 'Stop failing' : 'Fail for one order in 5');
  setData(byId('fail'), 'state', failing ? 'on' : '');
  setText(byId('failing'), failing ? `The handler fails for ${whom(failing, orders)}: the transaction is rolled back, `
    + 'the order is held, and all others go on.' : 'The handler works.');
}

function whom({ orderId, oneIn }, orders) {
  return orderId === null ? `about one order in ${oneIn}`
    : `order #${orders.find((order) => order.id === orderId)?.number ?? orderId}`;
}

function shardCells(shard) {
  return [
    [shard.queue],
    [OWNER[shard.owner], OWNER_STATE[shard.owner] ?? 'quiet'],
    [shard.sinceDeliveryMillis === null ? 'none yet' : age(shard.sinceDeliveryMillis), 'quiet'],
    [number(shard.waiting)],
    [number(shard.heldKeys), shard.heldKeys > 0 ? 'waiting' : 'quiet'],
    [number(shard.heldMessages), shard.heldMessages > 0 ? 'waiting' : 'quiet'],
    [number(shard.retried), shard.retried > 0 ? '' : 'quiet'],
    [number(shard.deadLettered), shard.deadLettered > 0 ? 'bad' : 'quiet']
  ];
}

const number = (value) => value === null ? '–' : count(value);

function invoiceCells(invoice) {
  return [
    [`#${invoice.number} ${invoice.customer}`],
    invoiceState(invoice),
    [`${count(invoice.billed.length)} of ${count(invoice.events)}`],
    [`${money(invoice.amount)} of ${money(invoice.total)}`],
    [lines(invoice.billed), 'quiet']
  ];
}

// What follows one another is one run: a line that is missing, late or there twice begins another one
function lines(versions) {
  const runs = [];
  for (const version of versions) {
    const last = runs.at(-1);
    if (last && last.to + 1 === version) {
      last.to = version;
    }
    else {
      runs.push({ from: version, to: version });
    }
  }
  return runs.length === 0 ? 'none yet'
    : runs.map(({ from, to }) => from === to ? `v${from}` : `v${from} to v${to}`).join(', ');
}

function invoiceState(invoice) {
  if (!invoice.inOrder) {
    return ['✗ not once and in order', 'bad'];
  }
  if (invoice.complete) {
    return ['✓ each once, in order', 'good'];
  }
  return invoice.failing ? ['held: the handler fails', 'waiting'] : ['on its way', 'waiting'];
}

function showRows(table, rows) {
  const body = byId(table).tBodies[0];
  while (body.rows.length > rows.length) {
    body.lastElementChild.remove();
  }
  rows.forEach((cells, index) => {
    const row = body.rows[index] ?? body.appendChild(element('tr', {}, ...cells.map(() => element('td'))));
    cells.forEach(([text, state], column) => {
      setText(row.cells[column], text);
      setData(row.cells[column], 'state', state ?? '');
    });
  });
}
