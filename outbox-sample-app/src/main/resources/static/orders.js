// The list of orders: for each the committed events above their arrivals, by position.

import { byId, count, delay, element, money, plural, setData, setText, time, zone } from './dom.js';

const STATUS = { OPEN: 'open', SHIPPED: 'shipped', CANCELLED: 'cancelled' };
const VERDICT = {
  IN_ORDER: 'in order',
  DUPLICATE: 'duplicate',
  EARLY: 'too early',
  LATE: 'overtaken',
  UNCOMMITTED: 'never committed'
};

const rows = new Map();

export function showOrders(orders, selected, actions) {
  const list = byId('orders');
  for (const [id, row] of rows) {
    if (!orders.some((order) => order.id === id)) {
      row.item.remove();
      rows.delete(id);
    }
  }
  orders.forEach((order, index) => {
    const row = rows.get(order.id) ?? createRow(order, actions);
    rows.set(order.id, row);
    if (list.children[index] !== row.item) {
      list.insertBefore(row.item, list.children[index] ?? null);
    }
    update(row, order, order.id === selected, actions);
  });
  byId('empty').hidden = orders.length > 0;
}

export function showLines(id, lines) {
  const row = rows.get(id);
  if (row) {
    row.lines = lines;
    setText(row.basket, basket(lines));
  }
}

function createRow(order, actions) {
  const row = {
    number: element('span', { className: 'number' }, `#${order.number}`),
    customer: element('span', { className: 'customer' }, order.customer),
    status: element('span', { className: 'status' }),
    total: element('span', { className: 'total' }),
    verdict: element('span', { className: 'verdict' }),
    cells: element('ol', { className: 'cells' }),
    detail: element('div', { className: 'detail', id: `detail-${order.id}`, hidden: true }),
    basket: element('p', { className: 'basket' }),
    buttons: element('div', { className: 'buttons' }),
    events: element('tbody')
  };
  row.toggle = element('button', { type: 'button', className: 'toggle', 'aria-controls': row.detail.id },
    element('span', { className: 'line' }, row.number, row.customer, row.total),
    element('span', { className: 'line' }, row.status, row.verdict));
  row.toggle.addEventListener('click', () => actions.select(order.id));
  row.cells.setAttribute('aria-label', `Events of order ${order.number}`);
  row.detail.append(row.buttons, row.basket, eventTable(row.events));
  const labels = cell('div', 'labels', 'committed', 'arrived');
  labels.ariaHidden = 'true';
  const events = element('div', { className: 'events' }, labels, row.cells);
  row.item = element('li', { className: 'order' }, row.toggle, events, row.detail);
  for (const [text, act] of [['Add line', actions.addLine], ['Ship', actions.ship], ['Cancel', actions.cancel]]) {
    const button = element('button', { type: 'button' }, text);
    button.addEventListener('click', () => act(order.id));
    row.buttons.append(button);
  }
  row.fail = element('button', { type: 'button' }, 'Fail in billing');
  row.fail.addEventListener('click', () => actions.fail(order.id));
  row.detail.insertBefore(element('div', { className: 'buttons only-billing' }, row.fail), row.basket);
  return row;
}

function update(row, order, selected) {
  const signature = `${selected} ${JSON.stringify(order)}`;
  if (row.signature === signature) {
    return;
  }
  row.signature = signature;
  setText(row.status, STATUS[order.status]);
  setData(row.status, 'status', order.status);
  setText(row.total, money(order.total));
  showVerdict(row.verdict, order);
  showCells(row.cells, order.events);
  row.toggle.setAttribute('aria-expanded', String(selected));
  row.item.classList.toggle('selected', selected);
  row.detail.hidden = !selected;
  const closed = order.status !== 'OPEN';
  if (closed && row.buttons.contains(document.activeElement)) {
    row.toggle.focus(); // a button that is switched off would take the focus with it
  }
  for (const button of row.buttons.children) {
    button.disabled = closed;
  }
  if (selected) {
    showEvents(row.events, order.events);
  }
}

function showVerdict(node, order) {
  const missing = order.events.committed.length - firstArrivals(order.events).length;
  if (!order.inOrder) {
    setData(node, 'state', 'bad');
    setText(node, '✗ out of order');
  }
  else if (missing > 0) {
    setData(node, 'state', 'waiting');
    setText(node, `${count(missing)} on the way`);
  }
  else {
    setData(node, 'state', 'good');
    setText(node, '✓ in order');
  }
}

const firstArrivals = (events) => events.arrived.filter((arrival) => arrival.verdict !== 'DUPLICATE');

const duplicatesOf = (events, version) =>
  events.arrived.filter((arrival) => arrival.verdict === 'DUPLICATE' && arrival.version === version).length;

function showCells(list, events) {
  const firsts = firstArrivals(events);
  const length = Math.max(events.committed.length, firsts.length);
  while (list.children.length > length) {
    list.lastElementChild.remove();
  }
  for (let index = 0; index < length; index++) {
    if (!list.children[index]) {
      list.append(cell('li', 'cell', '', ''));
    }
    showCell(list.children[index], events.committed[index], firsts[index], events);
  }
}

function cell(tag, className, top, bottom) {
  return element(tag, { className },
    element('span', { className: 'top' }, top),
    element('span', { className: 'bottom' }, element('b', {}, bottom), element('small')));
}

function showCell(node, committed, arrival, events) {
  const [top, bottom] = node.children;
  setText(top, committed ? `v${committed.version}` : '–');
  setText(bottom.firstElementChild, arrival ? `v${arrival.version}` : '');
  setText(bottom.lastElementChild, arrival ? delay(arrival.delayMillis) : '');
  const copies = arrival ? duplicatesOf(events, arrival.version) : 0;
  setData(node, 'state', !arrival ? 'pending' : arrival.verdict === 'IN_ORDER' ? 'good' : 'bad');
  setData(node, 'copies', copies > 0 ? `×${copies + 1}` : '');
  node.title = `${committed ? committed.name : 'no such event'}: `
    + (arrival ? `${VERDICT[arrival.verdict]}, ${delay(arrival.delayMillis)} after it was written` : 'on its way');
}

function eventTable(body) {
  const heads = ['', 'Event', 'Verdict', 'Delay', `Written (${zone})`, `Arrived (${zone})`, 'Arrival no.', 'Message id'];
  const row = element('tr', {}, ...heads.map((head) => element('th', { scope: 'col' }, head)));
  const table = element('table', {}, element('thead', {}, row), body);
  return element('div', { className: 'scroll', tabIndex: 0, role: 'region', ariaLabel: 'Events' }, table);
}

function showEvents(body, events) {
  const names = new Map(events.committed.map((event) => [event.version, event]));
  const arrived = new Set(events.arrived.map((arrival) => arrival.version));
  const lines = events.arrived.map((arrival) => eventLine(names.get(arrival.version), arrival));
  const waiting = events.committed.filter((event) => !arrived.has(event.version)).map((event) => eventLine(event));
  body.replaceChildren(...lines, ...waiting);
}

function eventLine(committed, arrival) {
  const values = [
    `v${(committed ?? arrival).version}`,
    committed?.name ?? '–',
    arrival ? VERDICT[arrival.verdict] : 'on its way',
    arrival ? delay(arrival.delayMillis) : '–',
    committed ? time(committed.at) : '–',
    arrival ? time(arrival.at) : '–',
    arrival ? count(arrival.number) : '–',
    arrival?.messageId ?? '–'
  ];
  const state = !arrival ? 'pending' : { IN_ORDER: 'good', DUPLICATE: 'again' }[arrival.verdict] ?? 'bad';
  const line = element('tr', {}, ...values.map((value) => element('td', {}, value)));
  line.dataset.state = state;
  return line;
}

function basket(lines) {
  const shown = lines.slice(0, 6).map((line) => `${line.quantity}\u00a0×\u00a0${line.product}`);
  const rest = lines.length - shown.length;
  return shown.join(', ') + (rest > 0 ? ` and ${plural(rest, 'line')} more` : '');
}
