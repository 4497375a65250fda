// Small tools for building the page. Text only ever goes in as text.

export const byId = (id) => document.getElementById(id);

export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      node.addEventListener(name, value);
    }
    else if (value !== null && value !== undefined) {
      node.setAttribute(name, value);
    }
  }
  node.append(...children);
  return node;
}

// Touching only what differs keeps the selection of text
export function setText(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

// Puts new rows in the place of old ones, and the focus back where it was
export function replaceRows(parent, rows) {
  const focused = parent.contains(document.activeElement) ? document.activeElement.dataset.focus : undefined;
  parent.replaceChildren(...rows);
  if (focused !== undefined) {
    [...parent.querySelectorAll('[data-focus]')].find((node) => node.dataset.focus === focused)?.focus();
  }
}

export const ALWAYS = { from: null, until: null };

// A field without a time zone means the zone of the browser, in which the page shows times
const instantOf = (id) => byId(id).value === '' ? null : new Date(byId(id).value).toISOString();

// What the two fields of a range of time say
export function rangeOf(fields) {
  const range = { from: instantOf(`${fields}-from`), until: instantOf(`${fields}-until`) };
  if (range.from !== null && range.until !== null && range.from >= range.until) {
    throw new Error('From must be before Until.');
  }
  return range.from === null && range.until === null ? ALWAYS : range;
}

const numbers = new Intl.NumberFormat('en');

export const count = (value) => numbers.format(value);

export const plural = (value, noun) => `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

export const bounded = ({ count: counted, more }) => count(counted) + (more ? '+' : '');

export function duration(millis) {
  const seconds = Math.max(0, millis) / 1000;
  if (seconds < 1) {
    return `${Math.round(seconds * 1000)} ms`;
  }
  if (seconds < 60) {
    return `${seconds < 10 ? seconds.toFixed(1) : Math.floor(seconds)} s`;
  }
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) {
    return `${minutes} min`;
  }
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d`;
}
