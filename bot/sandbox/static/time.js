// Times as Discord shows them, by the sandbox's clock and the persona's language.
import { h } from './dom.js';
import { locale, now } from './store.js';

const STYLES = {
  t: { timeStyle: 'short' },
  T: { timeStyle: 'medium' },
  d: { dateStyle: 'short' },
  D: { dateStyle: 'long' },
  f: { dateStyle: 'long', timeStyle: 'short' },
  F: { dateStyle: 'full', timeStyle: 'short' },
  s: { dateStyle: 'short', timeStyle: 'short' },
  S: { dateStyle: 'short', timeStyle: 'medium' },
};

const UNITS = [
  ['year', 31536000],
  ['month', 2592000],
  ['day', 86400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

export function formatted(moment, style) {
  return new Intl.DateTimeFormat(locale(), STYLES[style] || STYLES.f).format(moment);
}

export function relative(moment) {
  const seconds = Math.round((moment - now()) / 1000);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) || UNITS[5];
  return new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(Math.round(seconds / size), unit);
}

export function timeNode(moment, style = 'f') {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return document.createTextNode('Invalid date');
  const text = style === 'R' ? relative(date) : formatted(date, style);
  return h('time', { datetime: date.toISOString(), title: formatted(date, 'F'), class: 'stamp', dataset: { style } }, text);
}

// The short stamp beside a name: the hour today, the date and hour otherwise.
export function shortStamp(moment) {
  const date = new Date(moment);
  const today = new Date(now()).toDateString() === date.toDateString();
  return h('time', { datetime: date.toISOString(), title: formatted(date, 'F') }, formatted(date, today ? 't' : 's'));
}

export function refreshRelative() {
  for (const node of document.querySelectorAll('time[data-style="R"]')) {
    node.textContent = relative(new Date(node.dateTime));
  }
}
