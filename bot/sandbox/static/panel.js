// The right: the guided steps, the watched folder, the clock, and the log of the bot's requests.
import { post, sendFile } from './api.js';
import { byId, fill, h, icon, iconButton } from './dom.js';
import { STEPS, digestChannel, isDone, run, startOver } from './guide.js';
import { t } from './i18n.js';
import { emit, now, on, store } from './store.js';
import { formatted } from './time.js';
import { say, warn } from './toast.js';

let tab = 'guide';
let onlyRefused = false;
let busy = null;

export function drawPanel() {
  const tabs = [['guide', t('tryThis')], ['log', t('requests')]].map(([name, label]) => h('button', {
    type: 'button', role: 'tab', id: `tab-${name}`, 'aria-selected': String(tab === name), 'aria-controls': 'panel-body', onclick: () => { tab = name; drawPanel(); },
  }, label));
  fill(byId('panel'),
    h('div', { class: 'panel-tabs' }, h('div', { role: 'tablist', 'aria-label': t('panel') }, tabs), iconButton('close', t('close'), () => emit('drawer', 'panel'))),
    h('div', { class: 'panel-body', id: 'panel-body', role: 'tabpanel', 'aria-labelledby': `tab-${tab}` }, tab === 'guide' ? guide() : log()));
}

// ---- the guide --------------------------------------------------------------------------------------------

function guide() {
  const steps = STEPS.filter((step) => step.offered());
  const done = steps.filter((step) => isDone(step.key)).length;
  return [
    h('p', { class: 'panel-note' }, t('sandboxNote')),
    h('div', { class: 'progress', role: 'progressbar', 'aria-valuemin': 0, 'aria-valuemax': steps.length, 'aria-valuenow': done, 'aria-label': t('progress', { done, all: steps.length }) },
      steps.map((step) => h('i', { class: isDone(step.key) ? 'full' : '' }))),
    h('ol', { class: 'steps' }, steps.map((step, index) => stepNode(step, index))),
    store.state.can_drop ? dropBox() : null,
    clockBox(),
    done ? h('button', { type: 'button', class: 'as-link', onclick: () => { startOver(); drawPanel(); } }, t('startOver')) : null,
  ];
}

function stepNode(step, index) {
  const done = isDone(step.key);
  const channel = digestChannel()?.name || '';
  const label = busy === step.key ? t('working') : t(done ? 'again' : 'doStep');
  const go = async () => {
    if (busy) return;
    busy = step.key;
    drawPanel();
    emit('close-drawers');
    try {
      await run(step);
    } catch (error) {
      warn(t('somethingWrong', { error: error.message }));
    }
    busy = null;
    drawPanel();
  };
  return h('li', { class: done ? 'step done' : 'step' },
    h('span', { class: 'step-number' }, done ? icon('check') : String(index + 1), done ? h('span', { class: 'sr-only' }, t('stepDone')) : null),
    h('div', { class: 'step-text' }, h('b', {}, t(step.key)), h('p', {}, t(`${step.key}n`, { channel }))),
    h('button', { type: 'button', class: `button ${done ? 'secondary' : 'primary'}`, disabled: busy !== null, dataset: { step: step.key }, 'aria-label': `${label}: ${t(step.key)}`, onclick: go }, label),
    step.shows ? h('code', { class: 'step-shows' }, step.shows()) : null);
}

function dropBox() {
  const input = h('input', { type: 'file', class: 'sr-only', id: 'listing-file', accept: '.txt,.html,.htm,.json,text/plain,text/html', onchange: () => input.files[0] && dropListing(input.files[0]) });
  return h('div', { class: 'drop-box' }, h('h3', {}, icon('file'), t('dropTitle')), h('p', {}, t('dropNote'), ' ', input, h('label', { for: 'listing-file', class: 'as-link' }, t('dropChoose'))));
}

export async function dropListing(file) {
  try {
    const { name } = await sendFile('listing', file);
    say(t('dropped', { name }));
  } catch (error) {
    warn(error.message);
  }
}

function clockBox() {
  return h('div', { class: 'clock-box' }, h('h3', {}, icon('clock'), t('clock')), h('p', { class: 'clock', id: 'clock' }, clockText()),
    store.state.can_skip ? h('button', { type: 'button', class: 'button secondary wide', id: 'skip', onclick: skip }, t('skipNow')) : null);
}

const clockText = () => formatted(new Date(now()), 'F');

export function tickClock() {
  const node = byId('clock');
  if (node) node.textContent = clockText();
}

export async function skip() {
  const { said } = await post('skip').catch((error) => { warn(error.message); return { said: '' }; });
  if (said) say(said);
  return Boolean(said);
}

// ---- the log ----------------------------------------------------------------------------------------------

const isRefused = (entry) => entry.status >= 400;

function log() {
  const refused = store.requests.filter(isRefused).length;
  const rows = (onlyRefused ? store.requests.filter(isRefused) : store.requests).slice(-100).reverse();
  return [
    h('p', { class: 'panel-note' }, t('logNote')),
    h('label', { class: 'dm-switch' }, h('input', { type: 'checkbox', checked: onlyRefused, onchange: (event) => { onlyRefused = event.currentTarget.checked; drawPanel(); } }), t('onlyRefused'), h('span', { class: 'muted' }, ` · ${t('count', { all: store.requests.length, refused })}`)),
    rows.length ? h('ul', { class: 'log' }, rows.map(logRow)) : h('p', { class: 'muted' }, t('logEmpty')),
  ];
}

function logRow(entry) {
  const left = entry.limit ? h('small', { class: 'left' }, `${entry.remaining}/${entry.limit}`) : null;
  return h('li', { class: isRefused(entry) ? 'refused' : '' },
    h('span', { class: 'log-line' }, h('b', {}, entry.status), h('span', { class: 'verb' }, entry.method), h('code', { title: entry.path }, entry.path.replace(/\d{14,}(\d{4})/g, '…$1')), left),
    entry.message ? h('span', { class: 'log-why' }, entry.code ? `${entry.code} ` : '', entry.message) : null);
}

export function startPanel() {
  on('stream:requests', ({ data }) => { store.requests = data; });
  on('stream:request', ({ data }) => {
    store.requests = [...store.requests.slice(-199), data];
    if (tab === 'log' && store.state) drawPanel();
  });
}
