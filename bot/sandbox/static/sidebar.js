// The left: servers, channels, direct messages, and who one is.
import { post } from './api.js';
import { avatar, byId, fill, h, icon } from './dom.js';
import { LANGUAGE_NAMES, t } from './i18n.js';
import { channelName, emit, isDm, isThread, isUnread, store, userOf } from './store.js';
import { warn } from './toast.js';

export function drawSidebar() {
  const { guilds, dms } = store.state;
  fill(byId('sidebar'),
    h('div', { class: 'sidebar-scroll' }, guilds.map(guildNode), directMessages(dms)),
    personPanel());
}

function guildNode(guild) {
  const threads = guild.channels.filter(isThread);
  const top = guild.channels.filter((channel) => !isThread(channel) && channel.type !== 4);
  const rows = top.flatMap((channel) => [channel, ...threads.filter((thread) => thread.parent_id === channel.id)]);
  return h('section', {},
    h('h2', { class: 'guild-name' }, h('span', { class: 'guild-icon', 'aria-hidden': 'true' }, initials(guild.name)), guild.name),
    h('h3', {}, t('channels')),
    h('ul', {}, rows.map(channelNode)));
}

const initials = (name) => name.split(/\s+/).map((word) => [...word][0]).slice(0, 2).join('');

function channelNode(channel) {
  const unread = isUnread(channel);
  const classes = ['channel', channel.id === store.channel ? 'open' : '', unread ? 'unread' : '', isThread(channel) ? 'thread' : ''].join(' ');
  const bot = isDm(channel) && store.state.bots.find((each) => each.id === channel.recipients[0]?.id);
  return h('li', {}, h('button', { type: 'button', class: classes, 'aria-current': channel.id === store.channel ? 'page' : null, dataset: { channel: channel.id }, onclick: () => emit('go', channel.id) },
    isDm(channel) ? face(channel.recipients[0], bot) : icon(isThread(channel) ? 'thread' : 'hash'),
    h('span', { class: 'channel-name' }, channelName(channel)),
    unread ? h('span', { class: 'unread-dot' }, h('span', { class: 'sr-only' }, t('unread'))) : null));
}

function face(user, bot) {
  const status = bot ? h('span', { class: `status ${bot.online ? 'online' : 'offline'}`, title: t(bot.online ? 'online' : 'offline') }) : null;
  return h('span', { class: 'face' }, avatar(user, 'small'), status);
}

function directMessages(dms) {
  const without = store.state.bots.filter((bot) => !dms.some((channel) => channel.recipients[0]?.id === bot.id));
  const open = async (bot) => {
    try {
      emit('go', (await post('dm', { with: bot.id })).channel);
    } catch (error) {
      warn(error.message);
    }
  };
  const starters = without.map((bot) => h('li', {}, h('button', { type: 'button', class: 'channel', onclick: () => open(bot) },
    face(userOf(bot.id), bot), h('span', { class: 'channel-name' }, t('messageBot', { name: bot.name })))));
  return h('section', {}, h('h3', {}, t('dms')), h('ul', {}, dms.map(channelNode), starters));
}

// ---- who one is -------------------------------------------------------------------------------------------

function personPanel() {
  const { me, personas, locales } = store.state;
  return h('div', { class: 'person' },
    h('div', { class: 'person-title', id: 'persona-label' }, t('you')),
    h('div', { class: 'personas', role: 'group', 'aria-labelledby': 'persona-label' }, personas.map(personaNode)),
    h('div', { class: 'locales', role: 'group', 'aria-label': t('language') }, locales.map((each) => localeNode(each, me))),
    h('label', { class: 'dm-switch' }, h('input', { type: 'checkbox', checked: me.dm_allowed, onchange: (event) => settings({ dm_allowed: event.currentTarget.checked }) }), t('dmOpen')));
}

function personaNode(person) {
  const waiting = store.elsewhere.has(person.id);
  return h('button', { type: 'button', class: 'persona', 'aria-pressed': String(person.id === store.user), dataset: { persona: person.role, person: person.id }, onclick: () => emit('persona', person.id) },
    avatar({ id: person.id, global_name: person.display }, 'small'),
    h('span', {}, h('b', {}, person.display.replace(/\s*[（(][^()（）]*[)）]$/, '')), h('small', {}, t(person.role))),
    waiting ? h('span', { class: 'unread-dot' }, h('span', { class: 'sr-only' }, t('newDm'))) : null);
}

function localeNode(code, me) {
  return h('button', { type: 'button', lang: code, 'aria-pressed': String(code === me.locale), dataset: { locale: code }, onclick: () => settings({ locale: code }) }, LANGUAGE_NAMES[code] || code);
}

export async function settings(changes) {
  try {
    await post('settings', changes);
  } catch (error) {
    warn(error.message);
  }
}
