// The four numbers at the top and the depth of the last minute.

import { byId, count, plural, setData, setText } from './dom.js';

const MINUTE = 60_000;
const QUARTER = MINUTE / 4;
const WIDTH = 240;
const HEIGHT = 56;
const SVG = 'http://www.w3.org/2000/svg';

const samples = [];
const area = shape('area');
const line = shape('line');

function shape(name) {
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('class', name);
  byId('spark').append(path);
  return path;
}

export function showTotals(totals) {
  showDepth(totals);
  setText(byId('committed'), count(totals.committed));
  setText(byId('committed-note'), `in ${plural(totals.orders, 'order')}`);
  setText(byId('arrived'), count(totals.arrived));
  setText(byId('arrived-note'), arrivals(totals));
  setText(byId('violations'), count(totals.violations));
  setText(byId('violations-note'), totals.violations === 0
    ? (totals.arrived === 0 ? 'nothing has arrived yet' : 'all in commit order')
    : `in ${plural(totals.ordersOutOfOrder, 'order')}`);
  setData(byId('violations-tile'), 'state', totals.violations === 0 ? 'good' : 'bad');
}

function arrivals(totals) {
  const missing = totals.committed - totals.arrived;
  const where = missing > 0 ? `${count(missing)} on their way` : 'everything is here';
  return totals.duplicates > 0 ? `${where} · ${plural(totals.duplicates, 'duplicate')}` : where;
}

function showDepth(totals) {
  const now = Date.now();
  samples.push({ at: now, depth: totals.depth });
  while (samples.length > 1 && samples[1].at < now - MINUTE) {
    samples.shift();
  }
  const peak = Math.max(...samples.map((sample) => sample.depth));
  setText(byId('depth'), count(totals.depth) + (totals.depthCapped ? '+' : ''));
  setText(byId('depth-note'), peak === 0 ? 'nothing waits for the broker' : `peak ${count(peak)} in the last minute`);
  draw(now, Math.max(peak, 10));
}

function draw(now, highest) {
  if (samples.length < 2) {
    return;
  }
  const span = Math.min(MINUTE, Math.max(QUARTER, now - samples[0].at));
  const x = (at) => Math.max(0, WIDTH - ((now - at) / span) * WIDTH).toFixed(1);
  const y = (depth) => (HEIGHT - 2 - (depth / highest) * (HEIGHT - 6)).toFixed(1);
  const points = samples.map((sample) => `${x(sample.at)} ${y(sample.depth)}`);
  const path = `M${points.join('L')}`;
  line.setAttribute('d', path);
  area.setAttribute('d', `${path}V${HEIGHT}H${x(samples[0].at)}Z`);
}
