// Buttons, menus and the boxes of Components V2 under a message.
import { h, icon } from './dom.js';
import { t } from './i18n.js';
import { link, markdown } from './markdown.js';
import { allChannels, channelName, guildOf, isDm, nameOf, store } from './store.js';

const STYLES = { 1: 'primary', 2: 'secondary', 3: 'success', 4: 'danger', 5: 'link', 6: 'secondary' };

export function components(message, acts) {
  const parts = message.components || [];
  if (!parts.length) return null;
  return h('div', { class: 'components' }, parts.map((part) => partNode(part, message, acts)));
}

function partNode(part, message, acts) {
  const inside = () => (part.components || []).map((child) => partNode(child, message, acts));
  switch (part.type) {
    case 1: return h('div', { class: 'action-row' }, inside());
    case 2: return buttonNode(part, message, acts);
    case 3: case 5: case 6: case 7: case 8: return selectNode(part, message, acts);
    case 9: return h('div', { class: 'section' }, h('div', {}, inside()), part.accessory ? partNode(part.accessory, message, acts) : null);
    case 10: return h('div', { class: 'markdown' }, markdown(part.content));
    case 14: return h('hr', { class: part.divider === false ? 'gap' : '' });
    case 17: return container(part, inside());
    default: return null;
  }
}

function container(part, inside) {
  const box = h('div', { class: 'embed container' }, inside);
  if (Number.isInteger(part.accent_color)) box.style.borderInlineStartColor = `#${part.accent_color.toString(16).padStart(6, '0')}`;
  return box;
}

const emojiOf = (part) => (part.emoji && !part.emoji.id ? `${part.emoji.name} ` : '');

function buttonNode(part, message, acts) {
  const label = `${emojiOf(part)}${part.label || ''}`;
  if (part.style === 5) {
    const node = link(part.url, label, ' ', icon('out'));
    node.classList.add('button', 'link');
    return node;
  }
  const press = async (event) => {
    const button = event.currentTarget;
    button.classList.add('busy');
    button.disabled = true;
    await acts.use('click', message, { custom_id: part.custom_id });
    button.classList.remove('busy');
    button.disabled = Boolean(part.disabled);
  };
  return h('button', { type: 'button', class: `button ${STYLES[part.style] || 'secondary'}`, disabled: Boolean(part.disabled), dataset: { custom: part.custom_id }, onclick: press }, label.trim() || '…');
}

// ---- menus ------------------------------------------------------------------------------------------------

// The choices of any kind of menu: [{value, label, description, chosen}].
export function menuOptions(part, channel) {
  if (part.type === 3) {
    return part.options.map((option) => ({ value: option.value, label: `${emojiOf(option)}${option.label}`, description: option.description, chosen: Boolean(option.default) }));
  }
  const guild = guildOf(channel);
  const users = store.state.users.map((user) => ({ value: user.id, label: nameOf(user) }));
  const roles = (guild?.roles || []).map((role) => ({ value: role.id, label: `@${role.name.replace(/^@/, '')}` }));
  const channels = allChannels()
    .filter((each) => !isDm(each) && (!guild || each.guild_id === guild.id))
    .filter((each) => !part.channel_types?.length || part.channel_types.includes(each.type))
    .map((each) => ({ value: each.id, label: `#${channelName(each)}` }));
  return { 5: users, 6: roles, 7: [...users, ...roles], 8: channels }[part.type] || [];
}

function selectNode(part, message, acts) {
  const options = menuOptions(part, { guild_id: message.guild_id, id: message.channel_id });
  const most = part.max_values ?? 1;
  const send = (values) => acts.use('select', message, { custom_id: part.custom_id, values });
  return most > 1 ? manyNode(part, options, most, send) : oneNode(part, options, send);
}

function oneNode(part, options, send) {
  const chosen = options.find((option) => option.chosen);
  const first = chosen ? null : h('option', { value: '', selected: true, disabled: true, hidden: true }, part.placeholder || t('choose'));
  const items = options.map((option) => {
    const text = option.description ? `${option.label} — ${option.description}` : option.label;
    return h('option', { value: option.value, selected: option === chosen }, text);
  });
  const change = (event) => send([event.currentTarget.value]);
  return h('select', { class: 'menu', 'aria-label': part.placeholder || t('choose'), disabled: Boolean(part.disabled), dataset: { custom: part.custom_id }, onchange: change }, first, items);
}

function manyNode(part, options, most, send) {
  const boxes = options.map((option) => h('input', { type: 'checkbox', value: option.value, checked: option.chosen }));
  const rows = options.map((option, index) => h('label', { class: 'check' }, boxes[index], h('span', {}, option.label, option.description ? h('small', {}, option.description) : null)));
  const limit = () => {
    const full = boxes.filter((box) => box.checked).length >= most;
    for (const box of boxes) box.disabled = full && !box.checked;
  };
  for (const box of boxes) box.addEventListener('change', limit);
  const done = (event) => {
    event.currentTarget.closest('details').open = false;
    send(boxes.filter((box) => box.checked).map((box) => box.value));
  };
  return h('details', { class: 'menu many', dataset: { custom: part.custom_id } }, h('summary', {}, part.placeholder || t('choose')), h('div', { class: 'many-list' }, rows, h('button', { type: 'button', class: 'button primary', onclick: done }, t('done'))));
}
