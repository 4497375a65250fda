// What is at a glance, and where it leads.

import { showText } from './ages.js';
import { byId } from './dom.js';
import { choose, isState } from './lists.js';

// A figure and a note are texts, or show themselves in a node, as ages do
export function tile(name, figure, note, state = '') {
  const node = byId(`tile-${name}`);
  show(node.querySelector('.figure'), figure);
  show(node.querySelector('.note'), note);
  node.dataset.state = state;
}

function show(node, value) {
  if (typeof value === 'function') {
    value(node);
  }
  else {
    showText(node, value);
  }
}

// Takes the eyes and the keyboard there
function arrive(id) {
  byId(id).scrollIntoView();
  byId(id).focus({ preventScroll: true });
}

function follow(hash) {
  const target = hash.slice(1);
  if (isState(target)) {
    choose(target);
    arrive('messages-title');
  }
  else if (target !== '' && byId(target)) {
    arrive(target);
  }
}

// A link to what is shown already has to lead there too
byId('tiles').addEventListener('click', (event) => {
  const link = event.target.closest('a');
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    history.pushState(null, '', link.hash);
    follow(link.hash);
  }
});

addEventListener('hashchange', () => follow(location.hash));
follow(location.hash);
