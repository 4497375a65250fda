// Asks again and again, and shows what is at a glance.

import { countOn, now, setClock, showAge } from './ages.js';
import { get, post } from './api.js';
import './audit.js';
import { noteOfChart, showChart } from './chart.js';
import { withoutSecondClick } from './dialogs.js';
import { bounded, byId, count, duration, plural, setText } from './dom.js';
import { refreshInbox } from './inbox.js';
import { forgetLists, refreshMessages, refreshStuck } from './lists.js';
import { chooseOutbox } from './outboxes.js';
import { tile } from './tiles.js';
import { forgetWorkers, refreshWorkers } from './workers.js';

const EVERY = 1000;
const COUNT_ON_EVERY = 500;
const STALE = 2500;
const LISTS_EVERY = 3;
const LATE = 4000;
const LONG_LAG = 60_000;
// With more messages than this, the lag may have been looked for among some of them only
const ALL_SEEN = 10_000;

let round = 0;
let chosen = false;
let paused = false;
let allPaused = false;
let timer;

// Since when an answer is waited for, and when the last one came
let askedAt = null;
let answeredAt = 0;

const ageOf = (millis, as, lead) => (node) => showAge(node, now() - millis, as, lead);

function showOverview(overview) {
  const { backlog, stalled, blocked, delayed, deadLetters, archived, oldestMillis, lagMillis } = overview;
  tile('backlog', bounded(backlog), delayed.count > 0 ? `${bounded(delayed)} ${delayed.count === 1 ? 'key is' : 'keys are'} delayed`
    : oldestMillis === null ? 'nothing waits' : ageOf(oldestMillis, 'ago', 'oldest '));
  const nothing = backlog.count > ALL_SEEN ? 'none found that is due' : 'nothing is due';
  tile('lag', lagMillis === null ? '0 s' : ageOf(lagMillis, 'length'), lagMillis === null ? nothing : 'oldest that is due',
    lagMillis !== null && lagMillis > LONG_LAG ? 'wait' : '');
  tile('stalled', bounded(stalled), stalled.more ? 'of the 1,000 oldest failed' : 'failed, tried again',
    stalled.count > 0 ? 'wait' : '');
  tile('blocked', bounded(blocked), blocked.more ? 'of the 1,000 oldest failed' : 'wait for you', blocked.count > 0 ? 'bad' : '');
  tile('dead', bounded(deadLetters), 'taken out', deadLetters.count > 0 ? 'wait' : '');
  byId('archived').hidden = archived === null;
}

const isPaused = ({ state }) => state === 'paused' || state === 'pausing';

// Whoever paused it wants to see that, and does not expect it to work
const outageOf = (relay) => isPaused(relay) ? null : relay.outage;

function showRelay(relay) {
  const outage = outageOf(relay);
  const states = { running: outage ? 'bad' : 'good', pausing: 'wait', paused: 'wait', stopped: 'bad', off: '' };
  tile('relay', outage ? 'cannot work' : relay.state, relay.state === 'off' ? 'no relay: it only writes'
    : `${count(relay.published)} published · ${plural(relay.workers, 'worker')}`, states[relay.state]);
  paused = isPaused(relay);
  byId('pause').hidden = relay.state === 'off';
  setText(byId('pause'), paused ? 'Resume' : 'Pause');
}

// Where all are paused, one of them cannot be resumed
function showPauseOfAll(all) {
  allPaused = all;
  setText(byId('pause-all'), all ? 'Resume all' : 'Pause all');
  byId('pause-all').hidden = false;
  byId('pause').hidden ||= all;
}

// What was shown before is not the truth any more
function forget() {
  document.body.dataset.stale = '';
  for (const name of ['backlog', 'lag', 'hour', 'workers', 'stalled', 'blocked', 'dead']) {
    tile(name, '–', 'unknown');
  }
  noteOfChart(false);
  forgetLists();
  forgetWorkers();
  round = 0;
}

function forgetInstance() {
  tile('relay', '–', 'unknown');
  byId('pause').hidden = true;
}

function banner(text) {
  byId('banner').hidden = text === '';
  setText(byId('banner'), text);
}

function link(state, text) {
  byId('link').dataset.state = state;
  setText(byId('link'), text);
}

function showSample({ now: clock, database, answer, sinceMillis, relay, publishedPerMinute, publishedByAll }) {
  setClock(clock);
  answeredAt = performance.now();
  showRelay(relay);
  setText(byId('chart-title'), publishedByAll ? 'Published by all instances' : 'Published by this instance');
  showChart(publishedPerMinute);
  const late = sinceMillis > LATE;
  if (answer === null || answer.status !== 200 || late) {
    if (answer !== null || late) {
      forget();
      banner(late ? `The database ${database} has not answered for ${duration(sinceMillis)}.` : answer.body.problem);
      link('bad', 'database lost');
    }
    return false;
  }
  delete document.body.dataset.stale;
  noteOfChart(true);
  tile('hour', count(publishedPerMinute.reduce((sum, minute) => sum + minute, 0)), 'in the last hour');
  showOverview(answer.body);
  showPauseOfAll(answer.body.allPaused);
  const outage = outageOf(relay);
  banner(outage ? `The relay cannot work: ${outage}` : '');
  link(outage ? 'bad' : 'good', outage ? 'broker or database lost' : 'live');
  return true;
}

// What is seen meanwhile was true when the last answer came
function showSilence() {
  if (askedAt !== null && answeredAt > 0 && performance.now() - askedAt > STALE && byId('link').dataset.state !== 'bad') {
    document.body.dataset.stale = '';
    link('wait', `no answer for ${duration(performance.now() - answeredAt)}`);
  }
}

async function refresh() {
  askedAt = performance.now();
  try {
    if (!chosen) {
      await chooseOutbox();
      chosen = true;
    }
    const answers = showSample(await get('overview'));
    if (answers && round++ % LISTS_EVERY === 0) {
      await Promise.all([refreshStuck(), refreshMessages(), refreshWorkers(), refreshInbox()]);
    }
  }
  catch (problem) {
    forget();
    if (problem.status !== 500 && problem.status !== 503) {
      forgetInstance();
    }
    banner(problem.message);
    link('bad', problem.status === 401 ? 'signed out' : 'lost');
  }
  finally {
    askedAt = null;
  }
}

// Does what its button says, and is not asked again meanwhile
function press(name, act) {
  byId(name).addEventListener('click', (event) => withoutSecondClick(event.target, async () => showRelay(await act())));
}

press('pause', () => post(paused ? 'resume' : 'pause'));
press('pause-all', () => post(allPaused ? 'resume' : 'pause', { all: true }));

async function live() {
  if (document.visibilityState === 'visible') {
    await refresh();
  }
  timer = setTimeout(live, EVERY);
}

// Who comes back to the page is not shown for a second what was long ago
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && askedAt === null) {
    clearTimeout(timer);
    live();
  }
});

setInterval(() => {
  countOn();
  showSilence();
}, COUNT_ON_EVERY);
live();
