// Which words the page uses: those of the persona's language.
import { store } from './store.js';
import { CLIENT_WORDS, EN, TW, ZH } from './words.js';

const language = () => ({ 'zh-CN': 'zh', 'zh-TW': 'tw' })[store.state?.me.locale] || 'en';

// A text by its key, with {names} filled in.
export function t(key, values = {}) {
  const words = { en: EN, zh: ZH, tw: TW }[language()];
  const text = words[key] ?? EN[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

export const spoken = (sentence) => CLIENT_WORDS[sentence]?.[language()] || sentence;

export const LANGUAGE_NAMES = { 'en-US': 'English', 'zh-CN': '简体', 'zh-TW': '繁體' };

// What Discord's client shows of a registered name or description.
export function localised(data, field) {
  return data[`${field}_localizations`]?.[store.state?.me.locale] || data[field];
}
