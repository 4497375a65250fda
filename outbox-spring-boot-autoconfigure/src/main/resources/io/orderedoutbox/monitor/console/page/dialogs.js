// Asks before something cannot be undone, shows one message, and says what was done.

import { full } from './ages.js';
import { get, post } from './api.js';
import { byId, count, element, plural, rangeOf, setText } from './dom.js';

const VERBS = {
  retry: ['Retry', 'It is due at once, as if it had never failed.',
    'They are due at once, as if they had never failed. The order of each key is kept.'],
  release: ['Release', 'It does not wait for its time any more.',
    'They do not wait for their time any more. The order of each key is kept.'],
  skip: ['Skip', 'It becomes a dead letter, and its key goes on without it: consumers will see a gap.',
    'They become dead letters, and their keys go on without them: consumers will see gaps.'],
  requeue: ['Requeue', 'It becomes a message again, at the tail of its key: consumers will see it late.',
    'They become messages again, at the tails of their keys: consumers will see them late.'],
  discard: ['Discard', 'It is deleted for ever.', 'They are deleted for ever.'],
};

// What these take out does not come back by itself
export const TAKES_OUT = ['skip', 'discard'];

let toastEnds;
let busy = false;

export function toast(text, bad = false) {
  const node = byId('toast');
  setText(node, text);
  node.dataset.state = bad ? 'bad' : 'good';
  node.hidden = false;
  clearTimeout(toastEnds);
  toastEnds = setTimeout(() => {
    node.hidden = true;
  }, bad ? 12_000 : 5_000);
}

// Whoever pressed it with the keyboard finds it again: what is disabled loses the focus
export async function withoutSecondClick(button, work) {
  const focused = document.activeElement === button;
  button.disabled = true;
  try {
    await work();
  }
  catch (problem) {
    toast(problem.message, true);
  }
  finally {
    button.disabled = false;
    if (focused && document.activeElement === document.body) {
      button.focus();
    }
  }
}

// Hands on what the two fields of a range of time say when their form is submitted
export function onRange(fields, narrow, form = `${fields}-range`) {
  byId(form).addEventListener('submit', async (event) => {
    event.preventDefault();
    try {
      await narrow(rangeOf(fields));
    }
    catch (problem) {
      toast(problem.message, true);
    }
  });
}

function told(result, would) {
  const text = `${plural(result.affected, 'message')} ${would}`;
  return result.passedOver > 0 ? `${text}, ${count(result.passedOver)} passed over because somebody is at them` : text;
}

// Resolves when it is done, or not to be done. There is one dialog, so only one thing is asked at a time
export async function apply(verb, selection, what) {
  if (busy) {
    return false;
  }
  busy = true;
  try {
    if (verb !== 'retry' || selection.all) {
      const foretold = await post(verb, { ...selection, dryRun: true });
      if (!await confirmed({
        title: `${VERBS[verb][0]} ${what}?`,
        text: VERBS[verb][foretold.affected === 1 ? 1 : 2],
        foretold: `Now: ${told(foretold, 'affected')}.`,
        yes: VERBS[verb][0],
        danger: TAKES_OUT.includes(verb),
        possible: foretold.affected > 0,
      })) {
        return false;
      }
    }
    const result = await post(verb, selection);
    toast(`${VERBS[verb][0]}: ${told(result, 'done')}`);
  }
  catch (problem) {
    toast(problem.message, true);
  }
  finally {
    busy = false;
  }
  return true;
}

// Resolves to what was answered, unless something else is asked at the moment
export async function ask(question) {
  if (busy) {
    return false;
  }
  busy = true;
  try {
    return await confirmed(question);
  }
  finally {
    busy = false;
  }
}

function confirmed({ title, text, foretold, yes, danger, possible, withId = false }) {
  const dialog = byId('confirm');
  setText(byId('confirm-title'), title);
  setText(byId('confirm-text'), text);
  setText(byId('confirm-foretold'), foretold);
  setText(byId('confirm-yes'), yes);
  byId('confirm-yes').classList.toggle('danger', danger);
  byId('confirm-yes').disabled = !possible;
  byId('confirm-id').value = '';
  byId('confirm-id').parentElement.hidden = !withId;
  dialog.returnValue = '';
  dialog.showModal();
  byId(withId ? 'confirm-id' : 'confirm-no').focus();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
  });
}

function facts(list, entries) {
  list.replaceChildren(...entries.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));
}

const sinceWhen = (state) => state === 'archived' ? 'Published'
  : `${state[0].toUpperCase()}${state.slice(1)} since`;

export async function showMessage(id) {
  let content;
  try {
    content = await get(`messages/${encodeURIComponent(id)}`);
  }
  catch (problem) {
    toast(problem.message, true);
    return;
  }
  const { message, headers } = content;
  facts(byId('detail-facts'), [
    ['Message id', message.messageId],
    ['Name', message.name],
    ['Key', message.partitionKey || 'none'],
    ['State', message.state],
    ['Exchange', message.exchange || 'the default exchange'],
    ['Routing key', message.routingKey],
    ['Stored', full(message.createdAt)],
    ...(message.since ? [[sinceWhen(message.state), full(message.since)]] : []),
    ...(message.retryAt ? [['Tried again', full(message.retryAt)]] : []),
    ...(message.deliverAt ? [['Not before', full(message.deliverAt)]] : []),
    ['Attempts', count(message.attempts)],
    ...(message.lastError ? [['Last error', message.lastError]] : []),
  ]);
  const own = Object.entries(headers);
  facts(byId('detail-headers'), own.length > 0 ? own : [['none', '']]);
  const masked = content.encoding === 'masked';
  setText(byId('detail-payload-note'), [content.contentType, plural(content.payloadSize, 'byte'),
    ...(masked ? ['masked: outbox.monitor.show-payloads is off'] : []),
    ...(content.encoding === 'base64' ? ['in Base64'] : []),
    ...(headers['amqp:content-encoding'] || headers['outbox:encoding'] ? ['stored size'] : []),
    ...(content.truncated ? ['only the beginning'] : [])].join(' · '));
  setText(byId('detail-payload'), masked ? content.payload : pretty(content));
  byId('detail').showModal();
  byId('detail').scrollTop = 0;
}

function pretty({ contentType, payload, truncated }) {
  if (contentType.includes('json') && !truncated) {
    try {
      JSON.parse(payload);
      return indented(payload);
    }
    catch {
      return payload;
    }
  }
  return payload;
}

// Moves what JSON consists of to lines of its own, and changes none of it: numbers may be longer than a script knows
function indented(json) {
  const parts = json.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g);
  let depth = 0;
  let text = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  parts.forEach((part, index) => {
    if (part === '{' || part === '[') {
      depth++;
      text += part + (/[\]}]/.test(parts[index + 1]) ? '' : line());
    }
    else if (part === '}' || part === ']') {
      depth--;
      text += (/^[[{]$/.test(parts[index - 1]) ? '' : line()) + part;
    }
    else {
      text += part === ',' ? part + line() : part === ':' ? ': ' : part;
    }
  });
  return text;
}

byId('confirm-no').addEventListener('click', () => byId('confirm').close('no'));
byId('confirm-yes').addEventListener('click', () => byId('confirm').close('yes'));
byId('detail-close').addEventListener('click', () => byId('detail').close());
