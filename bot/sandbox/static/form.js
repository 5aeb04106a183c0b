// The forms ("modals") that the bot opens.
import { h, iconButton } from './dom.js';
import { menuOptions } from './components.js';
import { t } from './i18n.js';
import { markdown } from './markdown.js';
import { channelOf, store } from './store.js';

export function openForm(form, send) {
  const inputs = [];
  const rows = form.components.map((part) => rowNode(part, inputs));
  const problem = h('p', { class: 'form-problem', role: 'alert', hidden: true });
  const submit = h('button', { class: 'button primary' }, t('submit'));
  const dialog = h('dialog', { class: 'form', 'aria-labelledby': 'form-title' },
    h('form', { onsubmit: (event) => { event.preventDefault(); sendIt(); } },
      h('header', {}, h('h2', { id: 'form-title' }, form.title), iconButton('close', t('close'), () => dialog.close())),
      h('div', { class: 'form-body' }, rows, problem),
      h('footer', {}, h('button', { type: 'button', class: 'button secondary', onclick: () => dialog.close() }, t('cancel')), submit)));
  async function sendIt() {
    submit.disabled = true;
    try {
      await send(form, Object.fromEntries(inputs.map(({ id, read }) => [id, read()])));
      dialog.close();
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
    }
    submit.disabled = false;
  }
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function rowNode(part, inputs) {
  if (part.type === 10) return h('div', { class: 'markdown' }, markdown(part.content));
  if (part.type === 18) return labelled(part.label, part.description, part.component, inputs);
  if (part.type === 1) return (part.components || []).map((child) => labelled(child.label || child.placeholder || '', '', child, inputs));
  return null;
}

function labelled(label, description, part, inputs) {
  const field = part.type === 4 ? textField(part) : choiceField(part);
  if (!field) return null;
  const id = `form-${inputs.length}`;
  field.node.id = id;
  inputs.push({ id: part.custom_id, read: field.read });
  const needed = part.required === false ? null : h('span', { class: 'needed-mark', title: t('required') }, ' *');
  return h('div', { class: 'form-row' }, h('label', { for: id }, label, needed), description ? h('small', {}, description) : null, field.node);
}

function textField(part) {
  const long = part.style === 2;
  const node = h(long ? 'textarea' : 'input', {
    placeholder: part.placeholder || null, minlength: part.min_length ?? null, maxlength: part.max_length ?? 4000,
    required: part.required !== false, rows: long ? 4 : null, value: part.value || '',
  });
  return { node, read: () => node.value };
}

function choiceField(part) {
  if (![3, 5, 6, 7, 8].includes(part.type)) return null;
  const many = (part.max_values ?? 1) > 1;
  const options = menuOptions(part, channelOf(store.channel) || {});
  const blank = many || options.some((option) => option.chosen) ? null : h('option', { value: '' }, part.placeholder || t('choose'));
  const node = h('select', { class: 'menu', multiple: many, required: part.required !== false },
    blank, options.map((option) => h('option', { value: option.value, selected: option.chosen }, option.label)));
  return { node, read: () => [...node.selectedOptions].map((option) => option.value).filter(Boolean) };
}
