// The bottom line: plain messages, and commands with their options.
import { post } from './api.js';
import { byId, fill, h, icon, iconButton } from './dom.js';
import { appName, matching, typedCommand } from './commands.js';
import { localised, t } from './i18n.js';
import { OptionField } from './options.js';
import { channelName, channelOf, isDm, store } from './store.js';
import { Suggestions } from './suggest.js';
import { runCommand } from './acts.js';
import { warn } from './toast.js';

class Composer {
  constructor() {
    this.entry = null; // the command being filled in
    this.fields = [];
    this.busy = false;
  }

  mount() {
    this.box = h('div', { class: 'suggestions', hidden: true });
    this.suggestions = new Suggestions(this.box, (item, owner) => this.chosen(item, owner));
    this.bar = h('form', { class: 'composer-bar', onsubmit: (event) => { event.preventDefault(); this.submit(); } });
    this.help = h('div', { class: 'composer-help', id: 'option-help' });
    fill(byId('composer'), this.box, this.bar, this.help);
    this.bar.addEventListener('keydown', (event) => this.key(event));
    this.plain();
  }

  // ---- plain text -----------------------------------------------------------------------------------------

  plain(text = '', focus = false) {
    this.entry = null;
    this.fields = [];
    this.suggestions.hide();
    const channel = channelOf(store.channel);
    const label = !channel ? t('typeSlash') : t(isDm(channel) ? 'composerDm' : 'composer', { name: channelName(channel) });
    this.input = h('input', {
      type: 'text', id: 'composer-input', class: 'composer-input', placeholder: label, 'aria-label': label, autocomplete: 'off', maxlength: 2000,
      role: 'combobox', 'aria-expanded': 'false', 'aria-autocomplete': 'list', value: text,
      oninput: () => this.typed(), onblur: () => this.suggestions.hide(), onfocus: () => this.input.value.startsWith('/') && this.typed(),
    });
    const slash = iconButton('plus', t('commandList'), () => { this.input.value = '/'; this.input.focus(); this.typed(); }, { class: 'icon-button round' });
    fill(this.bar, slash, this.input, h('button', { class: 'icon-button send', 'aria-label': t('send'), title: t('send') }, icon('send')));
    this.bar.classList.remove('filling');
    this.say(channel && !channel.can_write ? t('readOnly') : '');
    if (focus) this.input.focus();
  }

  typed() {
    const text = this.input.value;
    if (!text.startsWith('/')) return this.suggestions.hide();
    const whole = typedCommand(text);
    if (whole) return this.open(whole.entry, whole.rest);
    const items = matching(text.slice(1)).map((entry) => ({
      title: `/${entry.shown}`,
      detail: entry.description,
      aside: appName(entry.command),
      entry,
    }));
    const none = store.commands.length ? t('noCommand') : t('noCommands');
    return this.suggestions.show(this.input, t('commandList'), items, { note: items.length ? '' : none });
  }

  chosen(item, owner) {
    if (item.entry) return this.open(item.entry);
    const field = this.fields.find((each) => each.input === owner);
    field?.take(item);
    return this.next(field);
  }

  // ---- a command ------------------------------------------------------------------------------------------

  open(entry, rest = '') {
    this.suggestions.hide();
    this.entry = entry;
    this.fields = [];
    this.row = h('div', { class: 'option-row' });
    this.chips = h('div', { class: 'option-chips' });
    const leave = iconButton('close', t('cancel'), () => this.plain('', true), { class: 'icon-button round' });
    fill(this.bar, leave,
      h('div', { class: 'command-fill' }, h('span', { class: 'command-name' }, `/${entry.shown}`), this.row, this.chips),
      h('button', { class: 'icon-button send', 'aria-label': t('run'), title: t('run') }, icon('send')));
    this.bar.classList.add('filling');
    for (const definition of entry.options.filter((option) => option.required)) this.add(definition);
    if (!this.fields.length && entry.options.length) this.add(entry.options[0]);
    this.drawChips();
    this.say(entry.description);
    const first = this.fields[0];
    if (!first) {
      this.bar.querySelector('.send').focus();
      return;
    }
    if (rest) first.set(rest);
    first.input.focus();
    if (rest) first.suggest();
  }

  add(definition) {
    const field = new OptionField(definition, this);
    this.fields.push(field);
    this.row.append(field.node);
    return field;
  }

  drawChips() {
    const left = this.entry.options.filter((option) => !this.fields.some((field) => field.name === option.name));
    fill(this.chips, left.map((definition) => {
      const name = localised(definition, 'name');
      const add = () => { const field = this.add(definition); this.drawChips(); field.input.focus(); };
      return h('button', { type: 'button', class: 'chip', title: localised(definition, 'description'), 'aria-label': t('addOption', { name }), onclick: add }, icon('plus'), name);
    }));
  }

  field(name) {
    const found = this.fields.find((each) => each.name === name);
    if (found) return found;
    const definition = this.entry?.options.find((option) => option.name === name);
    if (!definition) return null;
    const made = this.add(definition);
    this.drawChips();
    return made;
  }

  // The other options' values, for autocomplete.
  values(except = null) {
    const filled = this.fields.filter((field) => field !== except && field.value() !== undefined);
    return Object.fromEntries(filled.map((field) => [field.name, field.value()]));
  }

  describe(field) {
    this.say(localised(field.definition, 'description'));
    if (field.input.type === 'file') this.suggestions.hide();
  }

  next(field) {
    const following = this.fields.slice(this.fields.indexOf(field) + 1).find((each) => each.empty && each.definition.required);
    if (following) following.input.focus();
  }

  say(text) {
    const keys = this.entry ? h('span', { class: 'keys' }, t('hintKeys')) : null;
    fill(this.help, h('span', { class: 'help-text' }, text), keys);
  }

  // ---- keys and sending -----------------------------------------------------------------------------------

  key(event) {
    if (event.target.tagName !== 'INPUT' || event.isComposing) return;
    if (this.suggestions.owner === event.target && this.suggestions.key(event)) {
      event.preventDefault();
      if (event.key === 'Escape') this.fields.find((field) => field.input === event.target)?.request?.abort();
    } else if (event.key === 'Escape' && this.entry) {
      event.preventDefault();
      this.plain('', true);
    } else if (event.key === 'Backspace' && this.entry && this.fields.every((field) => field.empty) && event.target === this.fields[0]?.input) {
      event.preventDefault();
      this.plain(`/${this.entry.shown}`, true);
      this.typed();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      this.submit();
    }
  }

  submit() {
    return this.entry ? this.send() : this.write();
  }

  async write() {
    const content = this.input.value.trim();
    if (!content || this.busy) return;
    if (content.startsWith('/')) {
      const [entry] = matching(content.slice(1));
      if (entry) this.open(entry);
      else this.typed(); // says that there is no such command
      return;
    }
    this.busy = true;
    try {
      await post('send', { channel: store.channel, content });
      this.plain('', true);
    } catch (error) {
      warn(error.message);
    }
    this.busy = false;
  }

  async send() {
    const wrong = this.fields.filter((field) => !field.check());
    if (wrong.length) {
      wrong[0].input.focus();
      return false;
    }
    if (this.busy) return false;
    this.busy = true;
    this.bar.classList.add('busy');
    this.suggestions.hide();
    const entry = this.entry;
    try {
      const options = {};
      for (const field of this.fields) {
        const value = await field.finalValue();
        if (value !== undefined) options[field.name] = value;
      }
      const going = runCommand(entry, options);
      this.plain('', true);
      await going;
      return true;
    } catch (error) {
      warn(error.message);
      if (this.entry) this.say(error.message);
      return false;
    } finally {
      this.busy = false;
      this.bar.classList.remove('busy');
    }
  }
}

export const composer = new Composer();
