// Starts the page and ties its parts together.
import { connect, get } from './api.js';
import { byId } from './dom.js';
import { drawAll, drawHeader, loadMessages, startChat } from './chat.js';
import { composer } from './composer.js';
import { t } from './i18n.js';
import { drawPanel, dropListing, startPanel, tickClock } from './panel.js';
import { drawSidebar } from './sidebar.js';
import { allChannels, channelOf, noteFirstVisit, on, store } from './store.js';
import { refreshRelative } from './time.js';
import { warn } from './toast.js';

const PERSONA = 'herald-sandbox-persona';
let fresh = true; // whether the stream was just opened
let drawn = ''; // what the composer's words depend on
let asking = 0;

// The session, not the browser, remembers the persona: two tabs can be two people.
const remembered = (key) => sessionStorage.getItem(key);

function onState({ data }) {
  store.state = data;
  store.user = data.me.id;
  store.offset = new Date(data.now) - Date.now();
  store.elsewhere.delete(data.me.id);
  sessionStorage.setItem(PERSONA, data.me.id);
  document.documentElement.lang = data.me.locale;
  noteFirstVisit();
  if (!channelOf(store.channel)) store.channel = firstChannel();
  drawAround();
  drawBanner();
  refreshRelative();
  loadCommands();
  const words = `${data.me.id} ${data.me.locale} ${store.channel}`;
  if (fresh || words !== drawn) loadMessages().catch((error) => warn(error.message));
  if (words !== drawn) composer.plain();
  drawn = words;
  fresh = false;
}

function firstChannel() {
  const last = remembered(`channel:${store.user}`);
  if (channelOf(last)) return last;
  const texts = allChannels().filter((channel) => channel.type === 0);
  return (texts.find((channel) => channel.name === 'general') || texts[0] || allChannels()[0])?.id || null;
}

function drawAround() {
  drawSidebar();
  drawHeader();
  drawPanel();
  tickClock();
}

async function loadCommands() {
  asking += 1;
  const mine = asking;
  if (!store.channel) return;
  try {
    const found = await get('commands', { channel: store.channel });
    if (mine === asking) store.commands = found;
  } catch (error) {
    warn(error.message);
  }
}

function go(channel) {
  store.channel = channel;
  sessionStorage.setItem(`channel:${store.user}`, channel);
  closeDrawers();
  store.messages = [];
  if (!channelOf(channel)) return; // a DM just opened: the stream brings it in a moment
  drawn = `${store.user} ${store.state.me.locale} ${channel}`;
  composer.plain();
  drawSidebar();
  drawHeader();
  drawAll();
  loadCommands();
  loadMessages().catch((error) => warn(error.message));
}

function becomePersona(id) {
  if (id === store.user) return;
  fresh = true;
  store.commands = [];
  store.messages = [];
  connect(id);
}

// ---- banner, drawers, dropping ----------------------------------------------------------------------------

let lost = 0;

function drawBanner(offline = false) {
  const banner = byId('banner');
  const asleep = store.state?.bots.find((bot) => !bot.online);
  clearTimeout(lost);
  banner.className = offline ? 'bad' : '';
  banner.textContent = offline ? t('lost') : asleep ? t('starting', { name: asleep.name }) : store.state?.bots.length ? '' : t('noBot');
  banner.hidden = !banner.textContent;
}

function onOffline() {
  fresh = true;
  clearTimeout(lost);
  lost = setTimeout(() => drawBanner(true), 600); // a switch of persona reconnects at once
}

function toggleDrawer(name) {
  const narrow = matchMedia(name === 'panel' ? '(max-width: 1099px)' : '(max-width: 799px)').matches;
  document.body.classList.toggle(narrow ? `show-${name}` : `hide-${name}`);
  byId('scrim').hidden = !document.body.matches('.show-sidebar, .show-panel');
}

function closeDrawers() {
  document.body.classList.remove('show-sidebar', 'show-panel');
  byId('scrim').hidden = true;
}

function startDropping() {
  const veil = byId('drop');
  const carriesFile = (event) => store.state?.can_drop && [...(event.dataTransfer?.types || [])].includes('Files');
  addEventListener('dragover', (event) => {
    if (!carriesFile(event)) return;
    event.preventDefault();
    veil.textContent = t('dropHere');
    veil.hidden = false;
  });
  addEventListener('dragleave', (event) => { if (!event.relatedTarget) veil.hidden = true; });
  addEventListener('drop', (event) => {
    veil.hidden = true;
    if (!carriesFile(event)) return;
    event.preventDefault();
    for (const file of event.dataTransfer.files) dropListing(file);
  });
}

on('stream:state', onState);
on('stream:elsewhere', ({ users }) => {
  for (const user of users) store.elsewhere.add(user);
  if (store.state) drawSidebar();
});
on('offline', onOffline);
on('go', go);
on('persona', becomePersona);
on('read', () => store.state && drawSidebar());
on('drawer', toggleDrawer);
on('close-drawers', closeDrawers);
byId('scrim').addEventListener('click', closeDrawers);
addEventListener('keydown', (event) => { if (event.key === 'Escape') closeDrawers(); });
setInterval(() => { refreshRelative(); tickClock(); }, 5000);

composer.mount();
startChat();
startPanel();
startDropping();
connect(remembered(PERSONA));
