// A list of suggestions above the composer: one listbox, worked with the keyboard from the input that owns it.
import { fill, h } from './dom.js';

let counter = 0;

export class Suggestions {
  constructor(box, onchoose) {
    this.box = box;
    this.onchoose = onchoose;
    this.items = [];
    this.active = -1;
    this.owner = null;
    box.addEventListener('mousedown', (event) => event.preventDefault()); // the input keeps the focus
  }

  get open() {
    return !this.box.hidden;
  }

  // Shows items ({title, detail, aside, value}) for an input; `note` stands instead of an empty list.
  show(owner, heading, items, { note = '' } = {}) {
    this.release();
    this.box.classList.remove('outdated');
    this.owner = owner;
    this.items = items;
    this.active = items.length ? 0 : -1;
    counter += 1;
    const id = `suggestions-${counter}`;
    const rows = items.map((item, index) => this.row(item, index, id));
    const list = h('ul', { role: 'listbox', id, 'aria-label': heading }, rows);
    fill(this.box, heading ? h('div', { class: 'suggest-heading' }, heading) : null, rows.length ? list : null,
      note ? h('div', { class: 'suggest-note' }, note) : null);
    this.box.hidden = false;
    owner.setAttribute('aria-controls', id);
    owner.setAttribute('aria-expanded', 'true');
    this.mark();
  }

  row(item, index, id) {
    return h('li', { role: 'option', id: `${id}-${index}`, 'aria-selected': 'false', onclick: () => this.choose(index), onmousemove: () => this.move(index) },
      h('span', { class: 'suggest-main' }, h('span', { class: 'suggest-title' }, item.title), item.detail ? h('span', { class: 'suggest-detail' }, item.detail) : null),
      item.aside ? h('span', { class: 'suggest-aside' }, item.aside) : null);
  }

  move(index) {
    if (index === this.active) return;
    this.active = index;
    this.mark();
  }

  mark() {
    const rows = [...this.box.querySelectorAll('[role=option]')];
    rows.forEach((row, index) => row.setAttribute('aria-selected', String(index === this.active)));
    const current = rows[this.active];
    if (current) {
      this.owner.setAttribute('aria-activedescendant', current.id);
      current.scrollIntoView({ block: 'nearest' });
    } else this.owner?.removeAttribute('aria-activedescendant');
  }

  // What is shown belongs to an older text: it stays for the eye, but Enter and Tab no longer choose from it.
  outdate() {
    if (!this.open) return;
    this.box.classList.add('outdated');
    this.active = -1;
    this.mark();
  }

  choose(index) {
    const item = this.items[index];
    if (item) this.onchoose(item, this.owner);
  }

  hide() {
    this.release();
    this.box.hidden = true;
    this.items = [];
    this.active = -1;
  }

  release() {
    this.owner?.setAttribute('aria-expanded', 'false');
    this.owner?.removeAttribute('aria-activedescendant');
    this.owner?.removeAttribute('aria-controls');
    this.owner = null;
  }

  // Takes a key of the owning input; true when it was used up.
  key(event) {
    if (!this.open || event.isComposing) return false;
    const count = this.items.length;
    if (event.key === 'Escape') {
      this.hide();
      return true;
    }
    if (!count) return false;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : -1;
      this.move(this.active < 0 && step < 0 ? count - 1 : (this.active + step + count) % count);
      return true;
    }
    if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && this.active >= 0) {
      this.choose(this.active);
      return true;
    }
    return false;
  }
}
