// One message as Discord shows it: author, command line, text, embeds, components, who sees it.
import { avatar, h, icon, iconButton } from './dom.js';
import { components } from './components.js';
import { spoken, t } from './i18n.js';
import { link, markdown } from './markdown.js';
import { nameOf, store, userOf } from './store.js';
import { formatted, shortStamp, timeNode } from './time.js';

const EPHEMERAL = 64;
const LOADING = 128;
const GROUP_MS = 7 * 60 * 1000;

// Whether a message stands under the one before it without a header of its own.
function isContinued(message, before) {
  if (!before || before.local || message.sandbox_command || message.interaction_metadata || message.type === 19) return false;
  const gap = new Date(message.timestamp) - new Date(before.timestamp);
  return before.author.id === message.author.id && gap < GROUP_MS && sameDay(message, before) && !(before.flags & EPHEMERAL);
}

const sameDay = (one, other) => new Date(one.timestamp).toDateString() === new Date(other.timestamp).toDateString();

export function messageNode(message, before, acts) {
  const continued = isContinued(message, before);
  const hidden = Boolean(message.flags & EPHEMERAL);
  const classes = ['message', continued ? 'continued' : 'first', hidden ? 'ephemeral' : ''].join(' ');
  const body = h('div', { class: 'message-body' },
    continued ? null : header(message),
    content(message),
    (message.embeds || []).map((embed) => embedNode(embed, message)),
    (message.attachments || []).map(attachmentNode),
    components(message, acts),
    hidden ? onlyYou(message, acts) : null);
  const article = h('article', { class: classes, oncontextmenu: (event) => acts.menu(event, message) },
    interactionLine(message),
    h('div', { class: 'message-row' }, gutter(message, continued), body),
    h('div', { class: 'message-tools' }, iconButton('more', t('apps'), (event) => acts.menu(event, message), { 'aria-haspopup': 'menu' })));
  const divider = !before || !sameDay(message, before) ? h('div', { class: 'day' }, h('span', {}, formatted(new Date(message.timestamp), 'D'))) : null;
  return h('div', { class: 'entry', dataset: { id: message.id } }, divider, article);
}

function gutter(message, continued) {
  const date = new Date(message.timestamp);
  return continued
    ? h('time', { class: 'gutter-time', datetime: message.timestamp }, formatted(date, 't'))
    : avatar(message.author);
}

function header(message) {
  return h('div', { class: 'message-header' },
    h('span', { class: message.author.bot ? 'name bot' : 'name' }, nameOf(message.author)),
    message.author.bot ? h('span', { class: 'app-badge' }, t('app')) : null,
    shortStamp(message.timestamp));
}

function interactionLine(message) {
  if (message.type === 19 && message.message_reference) {
    const to = message.referenced_message;
    return h('div', { class: 'used' }, icon('thread'), to ? [h('b', {}, nameOf(to.author)), ' ', to.content.slice(0, 80)] : t('gone'));
  }
  const user = message.interaction_metadata?.user;
  if (!user || !message.sandbox_command) return null;
  const who = userOf(user.id) || user;
  return h('div', { class: 'used' }, avatar(who, 'tiny'), h('b', {}, nameOf(who)), ` ${t('used')} `, h('span', { class: 'mention' }, message.sandbox_command));
}

function content(message) {
  if (message.flags & LOADING) {
    const name = nameOf(message.author);
    return h('div', { class: 'thinking' }, h('span', { class: 'dots', 'aria-hidden': 'true' }, h('i'), h('i'), h('i')), t('thinking', { name }));
  }
  if (!message.content) return null;
  const edited = message.edited_timestamp ? h('span', { class: 'edited' }, ` ${t('edited')}`) : null;
  return h('div', { class: 'content markdown' }, markdown(message.content), edited);
}

function onlyYou(message, acts) {
  const dismiss = h('button', { type: 'button', class: 'as-link', onclick: () => acts.dismiss(message.id) }, t('dismiss'));
  return h('div', { class: 'only-you' }, icon('eye'), `${t('onlyYou')} · `, dismiss);
}

// ---- embeds -----------------------------------------------------------------------------------------------

function embedNode(embed, message) {
  const box = h('div', { class: 'embed' },
    embed.author ? h('div', { class: 'embed-author' }, embed.author.url ? link(embed.author.url, embed.author.name) : embed.author.name) : null,
    embed.title ? h('div', { class: 'embed-title markdown' }, embed.url ? titleLink(embed) : markdown(embed.title)) : null,
    embed.description ? h('div', { class: 'embed-description markdown' }, markdown(embed.description)) : null,
    embed.fields?.length ? h('div', { class: 'embed-fields' }, embed.fields.map(fieldNode)) : null,
    embed.image ? picture(embed.image, message) : null,
    footer(embed));
  if (Number.isInteger(embed.color)) box.style.borderInlineStartColor = `#${embed.color.toString(16).padStart(6, '0')}`;
  return box;
}

function titleLink(embed) {
  const node = link(embed.url, markdown(embed.title));
  node.title = embed.url;
  return node;
}

function fieldNode(field) {
  return h('div', { class: field.inline ? 'embed-field inline' : 'embed-field' },
    h('div', { class: 'embed-field-name markdown' }, markdown(field.name)),
    h('div', { class: 'embed-field-value markdown' }, markdown(field.value)));
}

function footer(embed) {
  const when = embed.timestamp ? timeNode(embed.timestamp, 'f') : null;
  if (!embed.footer && !when) return null;
  return h('div', { class: 'embed-footer' }, embed.footer?.text || '', embed.footer && when ? ' · ' : null, when);
}

// Pictures of other hosts are not fetched; they stand as links.
function picture(image, message) {
  const name = image.url.startsWith('attachment://') ? image.url.slice('attachment://'.length) : null;
  const own = (message.attachments || []).find((file) => file.filename === name || file.url === image.url);
  const address = own ? own.url : image.url;
  if (address.startsWith(`${location.origin}/`)) return h('img', { class: 'embed-image', src: address, alt: '' });
  return h('div', { class: 'embed-image-link' }, link(address, address));
}

function attachmentNode(file) {
  if (/^image\/(png|jpeg|gif|webp)$/.test(file.content_type || '')) {
    return h('img', { class: 'embed-image', src: file.url, alt: file.description || file.filename });
  }
  const size = file.size > 2048 ? `${Math.round(file.size / 1024)} KB` : `${file.size} B`;
  return h('a', { class: 'attachment', href: file.url, download: file.filename }, icon('file'), h('span', {}, h('b', {}, file.filename), h('small', {}, size)));
}

// ---- what only the page itself says -----------------------------------------------------------------------

export function noticeNode(notice, acts) {
  const bot = store.state.bots[0];
  const face = { id: bot?.id || '1', bot: true };
  const text = notice.pending
    ? h('div', { class: 'thinking' }, h('span', { class: 'dots', 'aria-hidden': 'true' }, h('i'), h('i'), h('i')), t('sending'))
    : h('div', { class: 'failure', role: 'alert' }, icon('close'), spoken(notice.error));
  const line = notice.command ? h('div', { class: 'used' }, avatar(userOf(store.user), 'tiny'), h('b', {}, nameOf(userOf(store.user))), ` ${t('used')} `, h('span', { class: 'mention' }, notice.command)) : null;
  const article = h('article', { class: `message first ${notice.pending ? 'pending' : 'failed'}` }, line,
    h('div', { class: 'message-row' }, avatar(face), h('div', { class: 'message-body' },
      h('div', { class: 'message-header' }, h('span', { class: 'name bot' }, bot?.name || ''), h('span', { class: 'app-badge' }, t('app'))),
      text, notice.pending ? null : onlyYou({ id: notice.id }, acts))));
  return h('div', { class: 'entry', dataset: { id: notice.id } }, article);
}
