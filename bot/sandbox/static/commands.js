// The registered commands as the list that opens at "/": every sub-command is an entry of its own.
import { localised } from './i18n.js';
import { store } from './store.js';

const SUB = 1;
const GROUP = 2;

function leavesOf(data, path, shown, command) {
  const nested = (data.options || []).filter((option) => option.type === SUB || option.type === GROUP);
  if (!nested.length) {
    return [{ name: path.join(' '), shown: shown.join(' '), description: localised(data, 'description'), options: data.options || [], command }];
  }
  return nested.flatMap((option) => leavesOf(option, [...path, option.name], [...shown, localised(option, 'name')], command));
}

export function slashCommands() {
  return store.commands
    .filter((command) => command.type === 1)
    .flatMap((command) => leavesOf(command, [command.name], [localised(command, 'name')], command));
}

export const messageMenus = () => store.commands.filter((command) => command.type === 3);

export function appName(command) {
  return store.state.bots.find((bot) => bot.application_id === command.application_id)?.name || '';
}

// The commands that fit what was typed after "/": names that start so first, then names and descriptions that hold it.
export function matching(typed) {
  const text = typed.trim().replace(/\s+/g, ' ').toLowerCase();
  const rank = (entry) => {
    const names = [entry.name.toLowerCase(), entry.shown.toLowerCase()];
    if (names.some((name) => name.startsWith(text))) return 0;
    if (names.some((name) => name.split(' ').some((word) => word.startsWith(text)))) return 1;
    if (names.some((name) => name.includes(text))) return 2;
    return text.length > 1 && entry.description.toLowerCase().includes(text) ? 3 : 9;
  };
  return slashCommands()
    .map((entry, index) => ({ entry, index, rank: rank(entry) }))
    .filter((each) => each.rank < 9)
    .sort((one, other) => one.rank - other.rank || one.index - other.index)
    .map((each) => each.entry);
}

// "/paper some words" typed or pasted in one go: the command and the rest; null while no name is complete.
export function typedCommand(text) {
  const lower = text.toLowerCase();
  const fits = (name) => lower.startsWith(`/${name.toLowerCase()} `);
  const found = slashCommands()
    .filter((entry) => fits(entry.name) || fits(entry.shown))
    .sort((one, other) => other.name.length - one.name.length)[0];
  if (!found) return null;
  const name = fits(found.name) ? found.name : found.shown;
  return { entry: found, rest: text.slice(name.length + 2).trimStart() };
}
