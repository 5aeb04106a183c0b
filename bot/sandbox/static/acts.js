// What the person does with commands, components and forms, and what is shown when the bot doesn't answer.
import { post } from './api.js';
import { emit, store } from './store.js';
import { openForm } from './form.js';
import { warn } from './toast.js';

let counter = 0;

function notice(fields) {
  counter += 1;
  return { id: `local-${counter}`, local: true, user: store.user, channel: store.channel, timestamp: new Date().toISOString(), flags: 0, author: { id: '0' }, ...fields };
}

// Sends a command; a line "sending" stands in the channel until the bot has answered.
export async function runCommand(entry, options) {
  return settled(`/${entry.shown}`, (channel) => post('command', { channel, command: entry.name, options }));
}

export async function runMenu(message, name) {
  return settled(name, (channel) => post('menu', { channel, message: message.id, name }));
}

async function settled(command, ask) {
  const line = notice({ pending: true, command });
  const channel = store.channel;
  const later = setTimeout(() => emit('notice', line), 200);
  let outcome;
  try {
    outcome = await ask(channel);
  } catch (error) {
    clearTimeout(later);
    emit('notice-gone', line);
    warn(error.message);
    return null;
  }
  clearTimeout(later);
  emit('notice-gone', line);
  if (outcome.seen === 'failed') emit('notice', { ...line, id: `${line.id}f`, pending: false, error: outcome.error });
  return shown(outcome);
}

// Presses a button or chooses in a menu of a message.
export async function use(kind, message, body) {
  try {
    const outcome = await post(kind, { channel: message.channel_id, message: message.id, ...body });
    if (outcome.seen === 'failed') emit('component-failed', { message, error: outcome.error });
    return shown(outcome);
  } catch (error) {
    emit('component-failed', { message, error: error.message });
    return null;
  }
}

function shown(outcome) {
  if (outcome.modal) openForm(outcome.modal, sendForm);
  return outcome;
}

async function sendForm(form, values) {
  const outcome = await post('modal', { modal: form.id, values });
  if (outcome.seen === 'failed') throw new Error(outcome.error);
  return shown(outcome);
}
