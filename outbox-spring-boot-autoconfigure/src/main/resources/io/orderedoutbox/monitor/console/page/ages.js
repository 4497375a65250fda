// Ages that count on between two answers, by the clock of the application: that of the browser may be wrong.

import { duration, element, setText } from './dom.js';

let fast = 0;

export function setClock(millis) {
  fast = Date.now() - millis;
}

export const now = () => Date.now() - fast;

function text({ from, as, lead }) {
  const past = now() - Number(from);
  if (as === 'length') {
    return lead + duration(past);
  }
  return lead + (past < 0 ? `in ${duration(-past)}` : past < 1000 ? 'just now' : `${duration(past)} ago`);
}

// Lets a node show an age from now on: how long ago, or how long
export function showAge(node, from, as = 'ago', lead = '') {
  Object.assign(node.dataset, { from, as, lead });
  setText(node, text(node.dataset));
}

export function showText(node, value) {
  delete node.dataset.from;
  setText(node, value);
}

export function countOn() {
  for (const node of document.querySelectorAll('[data-from]')) {
    setText(node, text(node.dataset));
  }
}

// What another machine says in English has a day that nobody mistakes for a month, and a zone
const clock = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });

export const full = (instant) => clock.format(new Date(instant));

export function time(instant) {
  const node = element('time', { datetime: instant, title: `${full(instant)} · ${instant}` });
  showAge(node, new Date(instant).getTime());
  return node;
}
