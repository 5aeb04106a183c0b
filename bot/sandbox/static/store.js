// What the page knows, and who wants to hear of changes. One owner for every piece of state.

export const store = {
  user: null, // id of the persona
  state: null, // the server's snapshot for the persona
  channel: null, // id of the open channel
  messages: [], // of the open channel, oldest first
  commands: [], // offered in the open channel
  requests: [], // of the bot, oldest first
  elsewhere: new Set(), // personas with a new DM
  offset: 0, // the sandbox's clock minus this machine's, in ms
};

const listeners = new Map();

export function on(name, listener) {
  listeners.set(name, [...(listeners.get(name) || []), listener]);
}

export function emit(name, detail) {
  for (const listener of listeners.get(name) || []) listener(detail);
}

export const now = () => Date.now() + store.offset;

// ---- looking things up ------------------------------------------------------------------------------------

export function allChannels() {
  if (!store.state) return [];
  return [...store.state.guilds.flatMap((guild) => guild.channels), ...store.state.dms];
}

export const channelOf = (id) => allChannels().find((channel) => channel.id === id);
export const guildOf = (channel) => store.state?.guilds.find((guild) => guild.id === channel?.guild_id);
export const userOf = (id) => store.state?.users.find((user) => user.id === id);
export const isBot = (id) => Boolean(userOf(id)?.bot);
export const roleOf = (id) => store.state?.guilds.flatMap((guild) => guild.roles).find((role) => role.id === id);
export const nameOf = (user) => user?.global_name || user?.username || '?';
export const isDm = (channel) => channel?.type === 1;
export const isThread = (channel) => [10, 11, 12].includes(channel?.type);
export const channelName = (channel) => (isDm(channel) ? nameOf(channel.recipients[0]) : channel.name);
export const locale = () => store.state?.me.locale || 'en-US';

// ---- read and unread --------------------------------------------------------------------------------------

const READ = 'herald-sandbox-read';

function memory() {
  try {
    return JSON.parse(localStorage.getItem(READ)) || {};
  } catch {
    return {}; // no storage, or something else's: start anew
  }
}

function keep(value) {
  try {
    localStorage.setItem(READ, JSON.stringify(value));
  } catch {
    // Without storage the markers only last until the page is closed.
  }
}

let read = memory();

// Ids grow with time, but don't fit a number.
export const newer = (one, other) => BigInt(one || 0) > BigInt(other || 0);

export function noteFirstVisit() {
  if (read.since) return;
  const last = allChannels().map((channel) => channel.last_seen_by_me).filter(Boolean);
  read.since = last.reduce((most, id) => (newer(id, most) ? id : most), '1');
  keep(read);
}

export function markRead(channelId, messageId) {
  const key = `${store.user}:${channelId}`;
  if (!messageId || !newer(messageId, read[key])) return;
  read[key] = messageId;
  keep(read);
}

export function isUnread(channel) {
  const last = channel.last_seen_by_me;
  if (!last || channel.id === store.channel) return false;
  return newer(last, read[`${store.user}:${channel.id}`] || read.since);
}
