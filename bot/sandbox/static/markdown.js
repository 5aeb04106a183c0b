// Discord's markdown as DOM nodes. Whatever isn't markdown stays text; only http and https become links.
// The scanners go forward only, so no text can make them run for long.
import { h } from './dom.js';
import { channelOf, channelName, nameOf, roleOf, userOf } from './store.js';
import { timeNode } from './time.js';

const DEEPEST = 12;
const FENCE = /```(?:([\w+#.-]*)\n)?([^]*?)```/;

export function markdown(text) {
  const nodes = [];
  let rest = text;
  for (let fence = FENCE.exec(rest); fence; fence = FENCE.exec(rest)) {
    if (!fence[2].trim()) break;
    nodes.push(...blocks(rest.slice(0, fence.index).replace(/\n$/, '')));
    nodes.push(h('pre', {}, h('code', { 'data-language': fence[1] || null }, fence[2].replace(/\n$/, ''))));
    rest = rest.slice(fence.index + fence[0].length).replace(/^\n/, '');
  }
  return [...nodes, ...blocks(rest)];
}

// ---- lines ------------------------------------------------------------------------------------------------

function blocks(text) {
  if (!text) return [];
  const lines = text.split('\n');
  const nodes = [];
  let plain = [];
  const flush = () => {
    if (plain.length) nodes.push(h('span', { class: 'md-text' }, inline(plain.join('\n'))));
    plain = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const [node, used] = block(lines, at);
    if (node) {
      flush();
      nodes.push(node);
      at += used - 1;
    } else plain.push(lines[at]);
  }
  flush();
  return nodes;
}

// The block that starts at a line, and how many lines it takes; [null, 0] for plain text.
function block(lines, at) {
  const line = lines[at];
  const heading = /^(#{1,3}) +(\S.*)$/.exec(line);
  if (heading) return [h('div', { class: `md-h${heading[1].length}` }, inline(heading[2])), 1];
  if (/^-# +\S/.test(line)) return [h('div', { class: 'md-small' }, inline(line.slice(2).trim())), 1];
  if (line.startsWith('>>> ')) {
    const text = [line.slice(4), ...lines.slice(at + 1)].join('\n');
    return [h('blockquote', {}, inline(text)), lines.length - at];
  }
  if (/^> /.test(line) || line === '>') return run(lines, at, /^>(?: |$)/, (found) => {
    return h('blockquote', {}, inline(found.map((each) => each.slice(2)).join('\n')));
  });
  if (ITEM.test(line)) return run(lines, at, ITEM, list);
  return [null, 0];
}

const ITEM = /^( *)([-*]|\d{1,3}\.) +(\S.*)$/;

function run(lines, at, pattern, build) {
  let end = at;
  while (end < lines.length && pattern.test(lines[end])) end += 1;
  return [build(lines.slice(at, end)), end - at];
}

function list(lines) {
  const items = lines.map((line) => ITEM.exec(line));
  const ordered = /\d/.test(items[0][2]);
  const nodes = items.map(([, indent, , text]) => {
    return h('li', { class: `depth-${Math.min(Math.floor(indent.length / 2), 3)}` }, inline(text));
  });
  return h(ordered ? 'ol' : 'ul', { class: 'md-list', start: ordered ? parseInt(items[0][2], 10) : null }, nodes);
}

// ---- within a line ----------------------------------------------------------------------------------------

export function inline(text, depth = 0) {
  const nodes = [];
  let plain = '';
  let at = 0;
  while (at < text.length) {
    const found = depth < DEEPEST ? token(text, at, depth) : null;
    if (found) {
      if (plain) nodes.push(document.createTextNode(plain));
      plain = '';
      nodes.push(...[found[0]].flat(Infinity));
      at += found[1];
    } else {
      plain += text[at];
      at += 1;
    }
  }
  if (plain) nodes.push(document.createTextNode(plain));
  return nodes;
}

// What starts at a place: [node, length], or null for a plain character.
function token(text, at, depth) {
  switch (text[at]) {
    case '\\': return escaped(text, at);
    case '`': return code(text, at);
    case '<': return angled(text.slice(at, at + 2048));
    case '[': return masked(text, at, depth);
    case 'h': return bare(text, at);
    case '@': return everyone(text.slice(at, at + 9));
    default: return styled(text, at, depth);
  }
}

function escaped(text, at) {
  const next = text[at + 1];
  return next && /[^\sA-Za-z0-9]/.test(next) ? [document.createTextNode(next), 2] : null;
}

function code(text, at) {
  const mark = text.startsWith('``', at) ? '``' : '`';
  const end = text.indexOf(mark, at + mark.length);
  if (end <= at + mark.length) return null;
  return [h('code', {}, text.slice(at + mark.length, end).trim()), end + mark.length - at];
}

const MARKS = { '**': 'strong', __: 'u', '~~': 's', '||': 'spoiler', '*': 'em', _: 'em' };

function styled(text, at, depth) {
  const mark = [text.slice(at, at + 2), text[at]].find((each) => each in MARKS);
  if (!mark) return null;
  const start = at + mark.length;
  const isWord = mark === '_';
  if (mark.length === 1 && (/\s/.test(text[start] || ' ') || (isWord && /\w/.test(text[at - 1] || ' ')))) return null;
  const end = closing(text, start, mark);
  if (end <= start || (isWord && /\w/.test(text[end + 1] || ' '))) return null;
  const inner = inline(text.slice(start, end), depth + 1);
  const length = end + mark.length - at;
  return [MARKS[mark] === 'spoiler' ? spoiler(inner) : h(MARKS[mark], {}, inner), length];
}

function closing(text, start, mark) {
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text.startsWith(mark, at)) {
      const tripled = mark.length === 2 && text[at + 2] === mark[0];
      if (tripled) return at + 1;
      if (mark.length === 2 || text[at + 1] !== mark) return at;
      at += 1;
    }
  }
  return -1;
}

function spoiler(inner) {
  const show = (event) => event.currentTarget.classList.add('shown');
  return h('span', { class: 'spoiler', role: 'button', tabindex: 0, onclick: show, onkeydown: (e) => e.key === 'Enter' && show(e) }, inner);
}

function everyone(text) {
  const found = /^@(everyone|here)\b/.exec(text);
  return found ? [mention(found[0]), found[0].length] : null;
}

// ---- links and mentions -----------------------------------------------------------------------------------

export function link(address, ...children) {
  if (!/^https?:\/\//i.test(address)) return h('span', {}, ...children);
  return h('a', { href: address, target: '_blank', rel: 'noopener noreferrer nofollow' }, ...children);
}

function bare(text, at) {
  const found = /^https?:\/\/[^\s<>]{3,2000}/.exec(text.slice(at, at + 2010));
  if (!found) return null;
  let address = found[0].replace(/[.,:;!?"'\]*_~|]+$/, '');
  // A bracket belongs to the text around unless it was opened inside the address.
  while (address.endsWith(')') && address.split('(').length < address.split(')').length) address = address.slice(0, -1);
  return [link(address, address), address.length];
}

function masked(text, at, depth) {
  let end = at + 1;
  for (let open = 1; end < text.length; end += 1) {
    if (text[end] === '\\') end += 1;
    else if (text[end] === '[') open += 1;
    else if (text[end] === ']') open -= 1;
    if (open === 0) break;
  }
  const target = /^\]\(<?(https?:\/\/[^\s<>()]{1,2000}(?:\([^\s<>()]{0,500}\)[^\s<>()]{0,500})?)>?(?: "[^"]{0,200}")?\)/.exec(text.slice(end, end + 2800));
  if (!target || end === at + 1) return null;
  const label = inline(text.slice(at + 1, end), depth + 1);
  const node = link(target[1], label);
  node.title = target[1];
  return [node, end - at + target[0].length];
}

const ANGLED = [
  [/^<t:(-?\d{1,13})(?::([tTdDfFRsS]))?>/, ([, seconds, style]) => timeNode(Number(seconds) * 1000, style || 'f')],
  [/^<@!?(\d{1,20})>/, ([, id]) => mention(`@${nameOf(userOf(id))}`)],
  [/^<@&(\d{1,20})>/, ([, id]) => mention(`@${roleOf(id)?.name || 'role'}`)],
  [/^<#(\d{1,20})>/, ([, id]) => mention(channelOf(id) ? `#${channelName(channelOf(id))}` : '#unknown')],
  [/^<\/([^:<>]{1,100}):\d{1,20}>/, ([, name]) => mention(`/${name}`)],
  [/^<a?:(\w{2,32}):\d{1,20}>/, ([, name]) => document.createTextNode(`:${name}:`)],
  [/^<(https?:\/\/[^\s<>]{1,2000})>/, ([, address]) => link(address, address)],
];

function angled(text) {
  for (const [pattern, build] of ANGLED) {
    const found = pattern.exec(text);
    if (found) return [build(found), found[0].length];
  }
  return null;
}

const mention = (text) => h('span', { class: 'mention' }, text);
