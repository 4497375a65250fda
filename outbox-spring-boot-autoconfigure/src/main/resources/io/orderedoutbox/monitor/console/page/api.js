// Asks the application. Addresses are relative to the page.

export class Problem extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

const TIMEOUT = 15_000;

// As long as the browser takes to read what is exported
const DOWNLOAD_TIMEOUT = 3_600_000;

const LINES = 'application/x-ndjson';

// The outbox that the address of the page names, where there are several
export const shown = new URLSearchParams(location.search).get('outbox');

// No other site can make a browser send it to us
const OURS = { 'X-Outbox-Monitor': '1' };

async function answerOf(path, options, timeout) {
  let response;
  try {
    response = await fetch(`api/${path}`, { ...options, redirect: 'manual', signal: AbortSignal.timeout(timeout) });
  }
  catch {
    throw new Problem(0, `The application at ${location.origin} does not answer.`);
  }
  // Whoever has to sign in is sent elsewhere, often to another site
  if (response.type === 'opaqueredirect' || response.status === 401) {
    throw new Problem(401, 'You are not signed in: load this page again.');
  }
  return response;
}

async function bodyOf(response) {
  if (!(response.headers.get('Content-Type') ?? '').startsWith('application/json')) {
    throw new Problem(response.status, `The application refuses with status ${response.status}.`);
  }
  const body = await response.json();
  if (!response.ok) {
    throw new Problem(response.status, body.problem ?? `Status ${response.status}`);
  }
  return body;
}

async function ask(path, options, timeout = TIMEOUT) {
  return bodyOf(await answerOf(path, options, timeout));
}

function addressOf(path, parameters = {}) {
  const given = Object.entries({ ...parameters, outbox: shown }).filter(([, value]) => value !== null && value !== undefined);
  const query = new URLSearchParams(given).toString();
  return query ? `${path}?${query}` : path;
}

export function get(path, parameters = {}) {
  return ask(addressOf(path, parameters), { headers: OURS });
}

// Returns what the application exports, as a file
export async function download(path, parameters = {}) {
  const response = await answerOf(addressOf(path, parameters), { headers: { ...OURS, Accept: LINES } }, DOWNLOAD_TIMEOUT);
  if (!response.ok || response.headers.get('Content-Type') !== LINES) {
    const { problem } = await bodyOf(response);
    throw new Problem(response.status, problem ?? 'The application exports nothing.');
  }
  try {
    return await response.blob();
  }
  catch {
    throw new Problem(0, 'The export has ended before its end: nothing is saved.');
  }
}

export function post(action, body = {}, timeout = TIMEOUT) {
  const headers = { 'Content-Type': 'application/json', ...OURS };
  const token = /(?:^|;\s*)XSRF-TOKEN=([^;]*)/.exec(document.cookie);
  if (token) {
    headers['X-XSRF-TOKEN'] = decodeURIComponent(token[1]);
  }
  return ask(addressOf(action), { method: 'POST', headers, body: JSON.stringify(body) }, timeout);
}
