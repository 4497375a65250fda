// What was published in each of the last sixty minutes, as bars.

import { byId, count, plural, setText } from './dom.js';

const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 600;
const HEIGHT = 96;

let drawn = '';
let said = '';

export function showChart(minutes) {
  if (drawn === minutes.join()) {
    return;
  }
  drawn = minutes.join();
  const total = minutes.reduce((sum, value) => sum + value, 0);
  const peak = Math.max(...minutes);
  said = total === 0 ? 'nothing in the last 60 minutes'
    : `${plural(total, 'message')} in the last 60 minutes, at most ${count(peak)} in one`;
  const step = WIDTH / minutes.length;
  byId('chart').replaceChildren(...minutes.map((value, index) => {
    const height = value === 0 ? 1 : Math.max(3, (value / Math.max(peak, 1)) * HEIGHT);
    const bar = document.createElementNS(SVG, 'rect');
    bar.setAttribute('x', index * step + 1);
    bar.setAttribute('y', HEIGHT - height);
    bar.setAttribute('width', step - 2);
    bar.setAttribute('height', height);
    bar.setAttribute('class', value === 0 ? 'none' : 'some');
    const title = document.createElementNS(SVG, 'title');
    const ago = minutes.length - 1 - index;
    title.textContent = `${ago === 0 ? 'this minute' : `${ago} min ago`}: ${count(value)}`;
    bar.append(title);
    return bar;
  }));
}

// What the bars amount to, or did when they were last known
export function noteOfChart(known) {
  const text = known ? said : said === '' ? 'unknown' : `last known: ${said}`;
  setText(byId('chart-note'), text);
  byId('chart').setAttribute('aria-label', `Messages published per minute: ${text}`);
}
