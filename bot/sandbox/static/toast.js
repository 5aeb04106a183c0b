// Short notes in the corner; they go by themselves, warnings later.
import { byId, h, iconButton } from './dom.js';
import { t } from './i18n.js';

function toast(text, kind, stay) {
  const node = h('div', { class: `toast ${kind}` }, h('span', {}, text), iconButton('close', t('close'), () => node.remove()));
  byId('toasts').append(node);
  setTimeout(() => node.remove(), stay);
}

export const say = (text) => toast(text, 'good', 7000);
export const warn = (text) => toast(text, 'bad', 10000);
