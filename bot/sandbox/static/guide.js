// The guided steps. Each acts through the composer like a person, so that one sees how it is done.
import { post } from './api.js';
import { composer } from './composer.js';
import { slashCommands } from './commands.js';
import { localised, t } from './i18n.js';
import { allChannels, emit, isBot, isDm, on, store } from './store.js';
import { say } from './toast.js';

const DONE = 'herald-sandbox-done';
const LOOK_MS = 700; // long enough to see the suggestions
const WAIT_MS = 4000;
const LOAD_MS = 8000; // the bot notices a new listing within five seconds

let heard = 0; // messages that came while the page is open
on('stream:message', ({ name }) => { if (name === 'MESSAGE_CREATE') heard += 1; });

let done = new Set();
try {
  done = new Set(JSON.parse(localStorage.getItem(DONE)) || []);
} catch {
  // Without storage the ticks only last until the page is closed.
}

function keepDone() {
  try {
    localStorage.setItem(DONE, JSON.stringify([...done]));
  } catch {
    // see above
  }
}

export const isDone = (key) => done.has(key);

export function startOver() {
  done.clear();
  keepDone();
}

export async function run(step) {
  const worked = await step.run();
  if (worked === false) return;
  done.add(step.key);
  keepDone();
}

// ---- going somewhere --------------------------------------------------------------------------------------

const texts = () => allChannels().filter((channel) => channel.type === 0 || channel.type === 5);
export const digestChannel = () => texts().find((channel) => channel.name.includes('digest')) || texts()[0];
const lobby = () => texts().find((channel) => channel.name === 'general') || texts()[0];
const persona = (role) => store.state.personas.find((person) => person.role === role) || store.state.personas[0];
const pause = (length) => new Promise((resolve) => { setTimeout(resolve, length); });

async function until(condition, limit = WAIT_MS) {
  for (let waited = 0; waited < limit; waited += 50) {
    const found = condition();
    if (found) return found;
    await pause(50);
  }
  return null;
}

async function be(role) {
  const { id } = persona(role);
  if (store.user === id) return;
  emit('persona', id);
  await until(() => store.state.me.id === id);
}

async function go(channel) {
  if (!channel || store.channel === channel.id) return;
  emit('go', channel.id);
  await until(() => store.channel === channel.id);
}

// ---- typing a command -------------------------------------------------------------------------------------

async function fillIn(name, values) {
  const entry = await until(() => slashCommands().find((each) => each.name === name));
  if (!entry) throw new Error(t('noCommand'));
  composer.open(entry);
  for (const [option, value] of Object.entries(values)) {
    const field = composer.field(option);
    if (field) await typeInto(field, choiceOf(field.definition, value));
  }
  await pause(LOOK_MS);
  const sent = await composer.send();
  return sent;
}

async function typeInto(field, value) {
  field.input.focus();
  if (typeof value === 'object') {
    field.take({ title: value.title, value: value.value });
    return;
  }
  const answered = new Promise((resolve) => { field.settled = resolve; });
  field.set(value);
  field.suggest();
  if (!field.definition.autocomplete) return;
  const items = await Promise.race([answered, pause(WAIT_MS).then(() => [])]);
  field.settled = null;
  await pause(LOOK_MS);
  if (items.length) field.take(items[0]);
}

// A value of an option with choices by the name that people see.
function choiceOf(definition, value) {
  const named = definition.choices?.find((each) => each.value === value);
  return named ? { title: localised(named, 'name'), value } : value;
}

// ---- the steps --------------------------------------------------------------------------------------------

const always = () => true;
const examples = () => store.state.examples;

async function lookUp(text) {
  await be('reader');
  await go(lobby());
  return fillIn('paper', { query: text });
}

async function follow() {
  await be('reader');
  await go(lobby());
  return fillIn('subscribe institution', { name: examples().institution });
}

async function setDigest() {
  await be('admin');
  const channel = digestChannel();
  await go(channel);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
  return fillIn('digest set', {
    channel: { title: `#${channel.name}`, value: channel.id },
    time: '09:00',
    timezone: { title: zone, value: zone },
    language: 'both',
  });
}

async function addTomorrow() {
  await be('reader');
  const { name } = await post('tomorrow');
  say(t('dropped', { name }));
  const before = heard;
  const dm = () => store.state.dms.find((channel) => isDm(channel) && isBot(channel.recipients[0]?.id));
  if (dm()) await go(dm());
  await until(() => heard > before, LOAD_MS);
}

async function skipAhead() {
  const { said } = await post('skip');
  say(said);
  await go(digestChannel());
}

export const STEPS = [
  { key: 's1', offered: always, run: () => lookUp(examples().typo), shows: () => `/paper ${examples().typo}` },
  { key: 's2', offered: always, run: () => lookUp(examples().chinese), shows: () => `/paper ${examples().chinese}` },
  { key: 's3', offered: always, run: follow, shows: () => `/subscribe institution ${examples().institution}` },
  { key: 's4', offered: always, run: setDigest, shows: () => '/digest set' },
  { key: 's5', offered: () => store.state.can_drop, run: addTomorrow },
  { key: 's6', offered: () => store.state.can_skip, run: skipAhead },
];
