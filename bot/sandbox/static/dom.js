// Builds DOM nodes. Text always becomes a text node, so nothing foreign is ever read as HTML.

export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'class') node.className = value;
    else if (name === 'dataset') Object.assign(node.dataset, value);
    else if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name in PROPERTIES) node[name] = value;
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const PROPERTIES = { value: 1, checked: 1, selected: 1, disabled: 1, hidden: 1, tabIndex: 1 };

export function fill(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export const byId = (id) => document.getElementById(id);

// Icons are drawn here, as paths of a 24 by 24 field.
const ICONS = {
  hash: 'M9 4 7 20M17 4l-2 16M4 9h16M3 15h16',
  at: 'M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0zm0 0v1.500a2.500 2.500 0 0 0 5 0V12a9 9 0 1 0-4 7.500',
  menu: 'M4 6h16M4 12h16M4 18h16',
  close: 'M6 6l12 12M18 6 6 18',
  spark: 'M12 3l2.200 6.300L21 12l-6.800 2.700L12 21l-2.200-6.300L3 12l6.800-2.700z',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zm13 0a3 3 0 1 1-6 0 3 3 0 0 1 6 0z',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  check: 'M5 13l4 4L19 7',
  plus: 'M12 5v14M5 12h14',
  play: 'M8 5v14l11-7z',
  send: 'M4 12l16-8-6 16-3-7z',
  file: 'M14 3H6v18h12V7zm0 0v4h4',
  clock: 'M12 7v5l3 2m6-2a9 9 0 1 1-18 0 9 9 0 0 1 18 0z',
  list: 'M9 6h12M9 12h12M9 18h12M4 6h.01M4 12h.01M4 18h.01',
  thread: 'M7 4v11a4 4 0 0 0 4 4h8',
  bell: 'M6 16V11a6 6 0 1 1 12 0v5l2 2H4zM10 21h4',
  out: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
};

export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}

export function iconButton(name, label, onclick, props = {}) {
  return h('button', { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick, ...props }, icon(name));
}

// A round picture: the bot's own, or a person's first letter on a colour of the id.
export function avatar(user, extra = '') {
  if (user.bot) return h('img', { class: `avatar ${extra}`, src: '/static/herald.svg', alt: '' });
  const name = user.global_name || user.display || user.username || user.name || '?';
  const colour = Number(BigInt(user.id) % 9973n) % 6;
  return h('span', { class: `avatar letter colour-${colour} ${extra}`, 'aria-hidden': 'true' }, [...name][0].toUpperCase());
}
