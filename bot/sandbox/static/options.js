// One option of a command in the composer: an input, its suggestions, and the value that is sent.
import { post, sendFile, Refusal } from './api.js';
import { h } from './dom.js';
import { localised, t } from './i18n.js';
import { allChannels, channelName, channelOf, guildOf, isDm, nameOf, store } from './store.js';

const INTEGER = 4, BOOLEAN = 5, USER = 6, CHANNEL = 7, ROLE = 8, MENTIONABLE = 9, NUMBER = 10, FILE = 11;
const WAIT_MS = 140;

export class OptionField {
  constructor(definition, form) {
    this.definition = definition;
    this.form = form;
    this.name = definition.name;
    this.chosen = null; // the choice that the text stands for, until the text is changed
    this.request = null;
    this.timer = 0;
    const id = `option-${definition.name}`;
    this.input = definition.type === FILE ? this.fileInput(id) : this.textInput(id);
    this.problem = h('span', { class: 'option-problem', id: `${id}-problem`, hidden: true });
    this.node = h('div', { class: 'option', dataset: { option: definition.name } },
      h('label', { for: id, class: definition.required ? 'option-name needed' : 'option-name' }, localised(definition, 'name')),
      this.input, this.problem);
  }

  textInput(id) {
    const input = h('input', {
      id, type: 'text', autocomplete: 'off', spellcheck: 'false', role: 'combobox', 'aria-expanded': 'false', 'aria-autocomplete': 'list',
      'aria-required': String(Boolean(this.definition.required)), 'aria-describedby': `${id}-problem option-help`,
      inputmode: this.definition.type === INTEGER || this.definition.type === NUMBER ? 'decimal' : null,
      onfocus: () => this.focused(), onblur: () => this.form.suggestions.hide(),
      oninput: () => { this.chosen = null; this.complain(''); this.resize(); this.suggest(); },
    });
    return input;
  }

  fileInput(id) {
    return h('input', { id, type: 'file', 'aria-describedby': `${id}-problem option-help`, onfocus: () => this.form.describe(this), onchange: () => this.complain('') });
  }

  resize() {
    // Chinese letters are twice as wide as the unit "ch".
    const width = [...this.input.value].reduce((sum, letter) => sum + (letter > '\u2e7f' ? 2 : 1), 0);
    this.input.style.width = `${Math.min(Math.max(width + 2, 9), 60)}ch`;
  }

  set(text, choice = null) {
    this.input.value = text;
    this.chosen = choice;
    this.resize();
  }

  focused() {
    this.form.describe(this);
    if (!this.chosen) this.suggest();
  }

  complain(sentence) {
    this.problem.textContent = sentence;
    this.problem.hidden = !sentence;
    this.node.classList.toggle('wrong', Boolean(sentence));
    this.input.setAttribute('aria-invalid', String(Boolean(sentence)));
  }

  // ---- suggestions ----------------------------------------------------------------------------------------

  // The choices that are known without asking the bot; null when any text may stand.
  fixedChoices() {
    const { type, choices, channel_types: kinds } = this.definition;
    if (choices?.length) return choices.map((choice) => ({ title: localised(choice, 'name'), value: choice.value }));
    if (type === BOOLEAN) return [{ title: 'True', value: true }, { title: 'False', value: false }];
    if (type === CHANNEL) return channels(kinds);
    if (type === USER) return users();
    if (type === ROLE) return roles();
    if (type === MENTIONABLE) return [...users(), ...roles()];
    return null;
  }

  suggest() {
    const heading = localised(this.definition, 'name');
    const fixed = this.fixedChoices();
    if (fixed) {
      const text = this.input.value.trim().toLowerCase().replace(/^[#@]/, '');
      const fits = fixed.filter((item) => item.title.toLowerCase().includes(text));
      this.form.suggestions.show(this.input, heading, fits, { note: fits.length ? '' : t('noMatch') });
    } else if (this.definition.autocomplete) this.ask(heading);
    else this.form.suggestions.hide();
  }

  // Asks the bot a moment after the last key; only the newest answer counts.
  ask(heading) {
    clearTimeout(this.timer);
    this.request?.abort();
    const mine = new AbortController();
    this.request = mine;
    this.form.suggestions.outdate();
    this.timer = setTimeout(async () => {
      const waiting = setTimeout(() => this.mayShow(mine) && this.form.suggestions.show(this.input, heading, [], { note: t('loading') }), 250);
      let found = [];
      let note = t('noMatch');
      try {
        const body = { channel: store.channel, command: this.form.entry.name, option: this.name, text: this.input.value, options: this.form.values(this) };
        found = await post('autocomplete', body, mine.signal);
      } catch (error) {
        note = error instanceof Refusal ? error.message : t('failedLoading');
      }
      clearTimeout(waiting);
      if (!this.mayShow(mine)) return;
      const items = found.map((choice) => ({ title: choice.name, value: choice.value }));
      this.form.suggestions.show(this.input, heading, items, { note: items.length ? '' : note });
      this.settled?.(items);
    }, WAIT_MS);
  }

  mayShow(request) {
    return request === this.request && !request.signal.aborted && document.activeElement === this.input && !this.chosen;
  }

  take(item) {
    this.set(item.title, item);
    this.complain('');
    this.request?.abort();
    this.form.suggestions.hide();
  }

  // ---- the value ------------------------------------------------------------------------------------------

  get empty() {
    return this.definition.type === FILE ? !this.input.files.length : this.input.value.trim() === '';
  }

  // The value as far as it is known without asking or uploading; undefined when there is none.
  value() {
    if (this.empty || this.definition.type === FILE) return undefined;
    if (this.chosen) return this.chosen.value;
    const text = this.input.value.trim();
    const fixed = this.fixedChoices();
    if (!fixed) return text;
    const plain = text.toLowerCase().replace(/^[#@]/, '');
    return fixed.find((item) => item.title.toLowerCase().replace(/^[#@]/, '') === plain)?.value;
  }

  // Whether it can be sent; says what is missing.
  check() {
    if (this.empty) {
      this.complain(this.definition.required ? t('needed') : '');
      return !this.definition.required;
    }
    const known = this.definition.type === FILE || this.value() !== undefined;
    this.complain(known ? '' : t('pickOne'));
    return known;
  }

  async finalValue() {
    if (this.definition.type !== FILE || this.empty) return this.value();
    return (await sendFile('upload', this.input.files[0])).id;
  }
}

function channels(kinds) {
  const guild = guildOf(channelOf(store.channel));
  return allChannels()
    .filter((channel) => !isDm(channel) && channel.guild_id === guild?.id && (!kinds?.length || kinds.includes(channel.type)))
    .map((channel) => ({ title: `#${channelName(channel)}`, value: channel.id }));
}

const users = () => store.state.users.map((user) => ({ title: nameOf(user), detail: user.username, value: user.id }));
const roles = () => (guildOf(channelOf(store.channel))?.roles || []).map((role) => ({ title: `@${role.name.replace(/^@/, '')}`, value: role.id }));

