// The way to the server: JSON requests, files, and the event stream that reconnects by itself.
import { t } from './i18n.js';
import { emit, store } from './store.js';

export class Refusal extends Error {}

async function answerOf(response) {
  const text = await response.text();
  let body = null;
  try {
    body = JSON.parse(text);
  } catch {
    // A refusal of the server itself is plain text.
  }
  if (!response.ok) throw new Refusal(body?.error || text || `${response.status} ${response.statusText}`);
  return body;
}

export async function get(path, query = {}) {
  const address = `/page/${path}?${new URLSearchParams({ user: store.user || '', ...query })}`;
  return answerOf(await fetch(address, { cache: 'no-store' }));
}

export async function post(path, body = {}, signal = undefined) {
  const response = await fetch(`/page/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ user: store.user, ...body }),
    signal,
  });
  return answerOf(response);
}

// `path` is "upload" or "listing". A file that is too large isn't even begun: the server would cut the line.
export async function sendFile(path, file) {
  const most = store.state.limits[path];
  if (file.size > most) throw new Refusal(t('tooLarge', { name: file.name, most: Math.floor(most / 1048576) }));
  const address = `/page/${path}?${new URLSearchParams({ user: store.user, name: file.name })}`;
  const headers = { 'Content-Type': 'application/octet-stream' };
  return answerOf(await fetch(address, { method: 'POST', headers, body: file }));
}

// ---- the stream -------------------------------------------------------------------------------------------

let socket = null;
let attempts = 0;
let timer = 0;

export function connect(user) {
  clearTimeout(timer);
  const old = socket;
  const query = user ? `?user=${encodeURIComponent(user)}` : '';
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const mine = new WebSocket(`${scheme}://${location.host}/page/socket${query}`);
  socket = mine;
  old?.close();
  mine.addEventListener('message', (event) => {
    if (mine !== socket) return;
    attempts = 0;
    const item = JSON.parse(event.data);
    emit(`stream:${item.kind}`, item);
  });
  mine.addEventListener('close', () => {
    if (mine !== socket) return;
    emit('offline');
    attempts += 1;
    // The persona may be gone when the sandbox was started anew: then the server chooses one.
    const next = attempts > 2 && attempts % 3 === 0 ? null : user;
    timer = setTimeout(() => connect(next), Math.min(300 * 2 ** attempts, 4000));
  });
}
