// Asks the server how things are, often while something happens and seldom when not.

import { showBilling } from './billing.js';
import { byId, count, plural, setData, setText } from './dom.js';
import { showLines, showOrders } from './orders.js';
import { showTotals } from './tiles.js';

const BUSY = 300;
const IDLE = 1000;
const CUSTOMERS = ['Ada', 'Alan', 'Barbara', 'Donald', 'Edsger', 'Frances', 'Grace', 'Leslie', 'Margaret', 'Tony'];
const PRODUCTS = ['Assam', 'Ceylon', 'Darjeeling', 'Earl Grey', 'Jasmine', 'Lapsang', 'Oolong', 'Rooibos', 'Sencha'];

let selected = null;
let orders = [];
let shown = '';
let loading = false;
let failing = null;
let held = false;
let timer = 0;

async function call(path, body, method = 'POST') {
  const options = body === undefined ? {} : {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: body === null ? null : JSON.stringify(body)
  };
  const response = await fetch(path, options);
  if (!response.ok) {
    const problem = await response.json().catch(() => ({}));
    throw new Error(problem.detail ?? `The server answered ${response.status}`);
  }
  return response.json();
}

const any = (values) => values[Math.floor(Math.random() * values.length)];

const anyLine = () => ({
  product: any(PRODUCTS),
  quantity: 1 + Math.floor(Math.random() * 4),
  unitPrice: (290 + Math.floor(Math.random() * 1700)) / 100
});

const actions = {
  select: (id) => {
    selected = selected === id ? null : id;
    render();
    refreshLines();
  },
  addLine: (id) => change(`/api/orders/${id}/lines`, anyLine()),
  ship: (id) => change(`/api/orders/${id}/shipment`, null),
  cancel: (id) => change(`/api/orders/${id}/cancellation`, null),
  fail: (id) => fail({ orderId: id })
};

async function fail(forWhat) {
  try {
    await (forWhat ? call('/api/billing/failure', forWhat) : call('/api/billing/failure', null, 'DELETE'));
    await tick();
  }
  catch (failure) {
    say(failure.message, true);
  }
}

async function publishAgain() {
  try {
    const { published } = await call('/api/billing/duplicates', null);
    setText(byId('billing-message'), published === 0 ? 'This instance has not billed anything yet'
      : `${plural(published, 'message')} published again, with the same ids`);
    await tick();
  }
  catch (failure) {
    say(failure.message, true);
  }
}

async function change(path, body) {
  try {
    const detail = await call(path, body);
    selected = detail.order.id;
    say('');
    await tick();
    showLines(detail.order.id, detail.lines);
  }
  catch (failure) {
    say(failure.message, true);
  }
}

async function refreshLines() {
  if (selected) {
    const id = selected;
    const detail = await call(`/api/orders/${id}`).catch(() => null);
    if (detail) {
      showLines(id, detail.lines);
    }
  }
}

async function startLoad() {
  byId('load').disabled = true;
  try {
    await call('/api/load', null);
    await tick();
  }
  catch (failure) {
    say(failure.message, true);
    byId('load').disabled = loading;
  }
}

async function tick() {
  clearTimeout(timer);
  let pause = IDLE;
  try {
    const { totals, load } = await call('/api/overview');
    const { billing } = await call('/api/billing');
    showTotals(totals);
    showLoad(load);
    showBilling(billing, totals, orders);
    failing = billing?.failing ?? null;
    held = billing !== null && billing.billed < totals.committed;
    const state = JSON.stringify(totals);
    if (state !== shown) {
      orders = await call('/api/orders');
      shown = state;
      render();
    }
    byId('more').hidden = totals.orders <= orders.length;
    setLink('live', 'live');
    pause = load.running || totals.depth > 0 || totals.arrived < totals.committed || held ? BUSY : IDLE;
  }
  catch {
    setLink('lost', 'no answer');
  }
  clearTimeout(timer);
  timer = setTimeout(tick, pause);
}

function render() {
  showOrders(orders, selected, actions);
}

function showLoad(load) {
  const progress = byId('load-progress');
  byId('load').disabled = load.running;
  progress.hidden = !load.running;
  if (load.running) {
    progress.max = load.events;
    progress.value = load.committed;
    say(`${count(load.committed)} of ${count(load.events)} committed`);
  }
  else if (loading) {
    say(load.failure ?? `${count(load.committed)} events committed over ${plural(load.orders, 'order')}, `
      + `${plural(load.rolledBack, 'transaction')} rolled back on purpose`, load.failure !== null);
    refreshLines();
  }
  loading = load.running;
}

function say(text, failed = false) {
  setText(byId('message'), text);
  setData(byId('message'), 'state', failed ? 'bad' : '');
}

function setLink(state, text) {
  setData(byId('link'), 'state', state);
  setText(byId('link'), text);
}

byId('place').addEventListener('click', () =>
  change('/api/orders', { customer: any(CUSTOMERS), lines: [anyLine()] }));
byId('load').addEventListener('click', startLoad);
byId('fail').addEventListener('click', () => fail(failing ? null : { oneIn: 5 }));
byId('again').addEventListener('click', publishAgain);
document.addEventListener('visibilitychange', () => document.hidden ? clearTimeout(timer) : tick());
tick();
