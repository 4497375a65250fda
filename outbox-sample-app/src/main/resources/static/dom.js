// Small tools for building the page. Text only ever goes in as text.

export const byId = (id) => document.getElementById(id);

export function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in node) {
      node[name] = value;
    }
    else {
      node.setAttribute(name, value);
    }
  }
  node.append(...children);
  return node;
}

// Touching only what differs keeps the focus and the selection of text, and lets colours fade
export function setText(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

export function setData(node, name, value) {
  if (node.dataset[name] !== value) {
    node.dataset[name] = value;
  }
}

const numbers = new Intl.NumberFormat('en');

export const count = (value) => numbers.format(value);

export const plural = (value, noun) => `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

export const money = (value) => value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export function delay(millis) {
  if (millis === null || millis === undefined) {
    return '';
  }
  return millis < 1000 ? `${Math.max(0, millis)} ms` : `${(millis / 1000).toFixed(1)} s`;
}

// In which zone times are told
export const zone = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' }).formatToParts()
  .find(({ type }) => type === 'timeZoneName').value;

export function time(instant) {
  const at = new Date(instant);
  const part = (value, length) => String(value).padStart(length, '0');
  return `${part(at.getHours(), 2)}:${part(at.getMinutes(), 2)}:${part(at.getSeconds(), 2)}`
    + `.${part(at.getMilliseconds(), 3)}`;
}

export function age(millis) {
  const seconds = Math.round(Math.max(0, millis) / 1000);
  if (seconds < 60) {
    return seconds === 0 ? 'just now' : `${seconds} s ago`;
  }
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min ago` : `${Math.floor(seconds / 3600)} h ago`;
}
