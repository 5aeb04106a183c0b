// The middle: the open channel's messages, kept in step with the event stream.
import { get } from './api.js';
import { byId, fill, h, icon, iconButton } from './dom.js';
import { use, runMenu } from './acts.js';
import { messageMenus } from './commands.js';
import { localised, spoken, t } from './i18n.js';
import { messageNode, noticeNode } from './message.js';
import { channelName, channelOf, emit, isDm, isThread, markRead, newer, on, store } from './store.js';

const NEAR_END = 120; // px
const dismissed = new Set();
let notices = [];
let loading = 0;
const list = () => byId('messages');

const acts = { use, dismiss, menu: openMenu };

// ---- loading and drawing ----------------------------------------------------------------------------------

export async function loadMessages() {
  loading += 1;
  const mine = loading;
  const channel = store.channel;
  if (!channel) return;
  const found = await get('messages', { channel });
  if (mine !== loading || channel !== store.channel) return;
  store.messages = found.filter((message) => !dismissed.has(message.id));
  drawAll();
}

export function drawAll() {
  const here = notices.filter(isHere);
  const nodes = store.messages.map((message, index) => messageNode(message, store.messages[index - 1], acts));
  fill(list(), beginning(), nodes, here.map((notice) => noticeNode(notice, acts)));
  seen();
  toEnd();
}

function beginning() {
  const channel = channelOf(store.channel);
  if (!channel) return null;
  const name = channelName(channel);
  const text = channel.type === 15 ? t('forum') : t(isDm(channel) ? 'beginningDm' : 'beginning', { name });
  return h('div', { class: 'beginning' }, h('span', { class: 'beginning-icon' }, icon(isDm(channel) ? 'at' : 'hash')), h('h2', {}, isDm(channel) ? name : `#${name}`), h('p', {}, text), h('p', { class: 'muted' }, t('firstStep')));
}

function seen() {
  const last = store.messages.at(-1);
  if (!last || document.hidden) return;
  markRead(store.channel, last.id);
  emit('read');
}

function toEnd() {
  const node = list();
  node.scrollTop = node.scrollHeight;
}

function isAtEnd() {
  const node = list();
  return node.scrollHeight - node.scrollTop - node.clientHeight < NEAR_END;
}

// Changes the list and keeps the end in view when it was.
function changing(change) {
  const atEnd = isAtEnd();
  change();
  if (atEnd) toEnd();
}

// ---- the stream -------------------------------------------------------------------------------------------

function onMessage({ name, data }) {
  const channel = channelOf(data.channel_id);
  if (name === 'MESSAGE_CREATE' && channel && newer(data.id, channel.last_seen_by_me)) channel.last_seen_by_me = data.id;
  if (data.channel_id !== store.channel) {
    emit('read');
    return;
  }
  const at = store.messages.findIndex((message) => message.id === data.id);
  if (name === 'MESSAGE_DELETE') remove(data.id, at);
  else if (at >= 0) replace(data, at);
  else if (name === 'MESSAGE_CREATE' && !dismissed.has(data.id)) append(data);
}

function append(message) {
  store.messages.push(message);
  const before = store.messages.at(-2);
  const mine = message.author.id === store.user || message.interaction_metadata?.user?.id === store.user;
  const scroll = mine || isAtEnd();
  const notice = list().querySelector('.entry[data-id^="local-"]');
  const node = messageNode(message, before, acts);
  if (notice) notice.before(node);
  else list().append(node);
  if (scroll) toEnd();
  seen();
}

function replace(message, at) {
  store.messages[at] = message;
  const old = list().querySelector(`.entry[data-id="${message.id}"]`);
  if (!old) return;
  const focused = old.contains(document.activeElement) ? document.activeElement.dataset.custom : null;
  const node = messageNode(message, store.messages[at - 1], acts);
  changing(() => old.replaceWith(node));
  if (focused !== null && focused !== undefined) {
    const again = [...node.querySelectorAll('[data-custom]')];
    (again.find((each) => each.dataset.custom === focused) || again[0])?.focus();
  }
}

function remove(id, at) {
  if (at >= 0) store.messages.splice(at, 1);
  list().querySelector(`.entry[data-id="${id}"]`)?.remove();
}

function dismiss(id) {
  dismissed.add(id);
  notices = notices.filter((notice) => notice.id !== id);
  remove(id, store.messages.findIndex((message) => message.id === id));
}

// ---- what the page itself says ----------------------------------------------------------------------------

const isHere = (notice) => notice.channel === store.channel && notice.user === store.user;

function addNotice(notice) {
  notices.push(notice);
  if (!isHere(notice)) return;
  list().append(noticeNode(notice, acts));
  toEnd();
}

function dropNotice(notice) {
  notices = notices.filter((each) => each !== notice);
  list().querySelector(`.entry[data-id="${notice.id}"]`)?.remove();
}

function componentFailed({ message, error }) {
  const node = list().querySelector(`.entry[data-id="${message.id}"] .message-body`);
  if (!node) return;
  node.querySelector('.component-failure')?.remove();
  node.append(h('div', { class: 'component-failure', role: 'alert' }, spoken(error)));
}

// ---- the "Apps" menu of a message -------------------------------------------------------------------------

function openMenu(event, message) {
  if (message.flags & 64) return;
  event.preventDefault();
  byId('message-menu')?.remove();
  const entries = messageMenus();
  const back = event.currentTarget;
  const close = () => { menu.remove(); document.removeEventListener('pointerdown', outside); };
  const outside = (press) => { if (!menu.contains(press.target)) close(); };
  const items = entries.map((command) => h('button', { type: 'button', role: 'menuitem', onclick: () => { close(); runMenu(message, command.name); } }, localised(command, 'name')));
  const menu = h('div', { id: 'message-menu', role: 'menu', 'aria-label': t('apps'), onkeydown: (key) => menuKey(key, items, close, back) },
    h('div', { class: 'menu-heading' }, t('apps')), items.length ? items : h('div', { class: 'menu-none' }, t('noMenu')));
  document.body.append(menu);
  const at = event.clientX ? { x: event.clientX, y: event.clientY } : { x: back.getBoundingClientRect().left, y: back.getBoundingClientRect().bottom };
  menu.style.left = `${Math.max(8, Math.min(at.x, innerWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(at.y, innerHeight - menu.offsetHeight - 8))}px`;
  items[0]?.focus();
  document.addEventListener('pointerdown', outside);
}

function menuKey(event, items, close, back) {
  const at = items.indexOf(document.activeElement);
  if (event.key === 'Escape') { close(); back.focus?.(); }
  else if (event.key === 'ArrowDown') items[(at + 1) % items.length]?.focus();
  else if (event.key === 'ArrowUp') items[(at - 1 + items.length) % items.length]?.focus();
  else return;
  event.preventDefault();
}

// ---- the header -------------------------------------------------------------------------------------------

export function drawHeader() {
  const channel = channelOf(store.channel);
  const name = channel ? channelName(channel) : '';
  const sign = isDm(channel) ? 'at' : isThread(channel) ? 'thread' : 'hash';
  fill(byId('chat-header'),
    iconButton('menu', t('openMenu'), () => emit('drawer', 'sidebar'), { class: 'icon-button only-narrow' }),
    h('span', { class: 'header-sign' }, icon(sign)), h('h1', {}, name),
    channel?.topic ? h('span', { class: 'topic', title: channel.topic }, channel.topic) : null,
    h('button', { type: 'button', class: 'try-toggle', onclick: () => emit('drawer', 'panel') }, icon('spark'), h('span', {}, t('openPanel'))));
  document.title = `${isDm(channel) ? '@' : '#'}${name} · ICLR Herald`;
}

export function startChat() {
  on('stream:message', onMessage);
  on('notice', addNotice);
  on('notice-gone', dropNotice);
  on('component-failed', componentFailed);
  document.addEventListener('visibilitychange', seen);
}
