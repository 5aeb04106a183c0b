// The page's own words, in the persona's language. What the bot says comes from the bot.
import { store } from './store.js';

const EN = {
  app: 'APP', apps: 'Apps', used: 'used', edited: '(edited)', gone: 'Original message was deleted',
  thinking: '{name} is thinking…', sending: 'Sending command…', onlyYou: 'Only you can see this', dismiss: 'Dismiss message',
  choose: 'Make a selection', done: 'Done', cancel: 'Cancel', submit: 'Submit', close: 'Close', required: 'Required',
  channels: 'Text channels', dms: 'Direct messages', servers: 'Server', you: 'You are', language: 'Language', dmOpen: 'Accept direct messages',
  reader: 'Reader', admin: 'Admin', unread: 'unread', newDm: 'new message', online: 'Online', offline: 'Offline',
  messageBot: 'Message {name}', openMenu: 'Open channels', openPanel: 'Try this', beginning: 'This is the start of #{name}.',
  beginningDm: 'This is the start of your direct messages with {name}.', typeSlash: 'Type / to use a command', forum: 'A forum holds posts only; they are listed beside it.',
  composer: 'Message #{name} — type / for commands', composerDm: 'Message @{name} — type / for commands', readOnly: 'You cannot write in this channel, but commands may work.',
  commandList: 'Commands', noCommand: 'No such command here.', noCommands: 'The bot has no commands registered yet.',
  send: 'Send', run: 'Send command', addOption: 'Add option {name}', noMatch: 'No options match your search.', loading: 'Loading options…', failedLoading: 'Loading options failed.',
  needed: 'This option is required.', pickOne: 'Choose one from the list.', fileChoose: 'Choose a file', hintKeys: '↑ ↓ to choose · Tab to accept · Enter to send · Esc to leave',
  noMenu: 'No app entries for this message.', starting: '{name} is starting …', lost: 'Connection lost. Reconnecting …', tooNew: 'New messages',
  tryThis: 'Try this', requests: 'API log', panel: 'Guide and API log', sandboxNote: 'Everything here runs on this machine. No token, no Discord account.',
  clock: 'Sandbox clock', dropTitle: 'Drop a listing', dropHere: 'Drop the listing into the watched folder', dropNote: 'Drag a listing file anywhere onto this page, or',
  dropChoose: 'choose a file', dropped: '{name} is in the watched folder. The bot loads it within five seconds.', doStep: 'Do it', again: 'Again', working: 'Working…',
  skipNow: 'Skip to the next digest hour', startOver: 'Start over', stepDone: 'done', progress: '{done} of {all} done',
  logNote: 'What the bot asks of Discord\'s API, checked as strictly as Discord does.', logEmpty: 'Nothing yet.', onlyRefused: 'Only refused', count: '{all} requests, {refused} refused',
  firstStep: 'New here? Start with the steps in "Try this", or type / below.', noBot: 'There is no bot here yet.', somethingWrong: 'That did not work: {error}',
  s1: 'Look up a paper, misspelt', s1n: 'Typos are forgiven. The card is in both languages.',
  s2: 'Look up in Chinese', s2n: 'A few characters of a title are enough.',
  s3: 'Follow an institution', s3n: 'A direct message for each new paper of theirs.',
  s4: 'Set up the daily digest', s4n: 'As the admin: #{channel}, 09:00, both languages.',
  s5: 'Add tomorrow\'s listing', s5n: 'Three invented papers for the watched folder. Followers get one message.',
  s6: 'Skip to the digest hour', s6n: 'Moves the clock; the digest appears in #{channel}.',
};

const ZH = {
  app: '应用', apps: '应用', used: '使用了', edited: '（已编辑）', gone: '原消息已删除',
  thinking: '{name} 正在思考…', sending: '正在发送命令…', onlyYou: '只有你能看到', dismiss: '关闭消息',
  choose: '请选择', done: '完成', cancel: '取消', submit: '提交', close: '关闭', required: '必填',
  channels: '文字频道', dms: '私信', servers: '服务器', you: '你现在是', language: '语言', dmOpen: '接收私信',
  reader: '读者', admin: '管理员', unread: '未读', newDm: '新消息', online: '在线', offline: '离线',
  messageBot: '私信 {name}', openMenu: '打开频道列表', openPanel: '试一试', beginning: '这里是 #{name} 的开头。',
  beginningDm: '这里是你与 {name} 的私信开头。', typeSlash: '输入 / 使用命令', forum: '论坛只包含帖子，列在左侧。',
  composer: '在 #{name} 发消息，输入 / 使用命令', composerDm: '给 @{name} 发消息，输入 / 使用命令', readOnly: '你不能在此频道发言，但可以使用命令。',
  commandList: '命令', noCommand: '这里没有这个命令。', noCommands: '机器人还没有注册命令。',
  send: '发送', run: '发送命令', addOption: '添加选项 {name}', noMatch: '没有匹配的选项。', loading: '正在加载选项…', failedLoading: '加载选项失败。',
  needed: '此选项为必填。', pickOne: '请从列表中选择。', fileChoose: '选择文件', hintKeys: '↑ ↓ 选择 · Tab 确认 · Enter 发送 · Esc 退出',
  noMenu: '此消息没有可用的应用命令。', starting: '{name} 正在启动…', lost: '连接已断开，正在重新连接…', tooNew: '新消息',
  tryThis: '试一试', requests: 'API 日志', panel: '引导与 API 日志', sandboxNote: '一切都在本机运行：无需令牌，也无需 Discord 账号。',
  clock: '沙盒时钟', dropTitle: '放入论文列表', dropHere: '松开鼠标，放入监视文件夹', dropNote: '把列表文件拖到页面任意位置，或',
  dropChoose: '选择文件', dropped: '{name} 已放入监视文件夹，机器人会在五秒内读取。', doStep: '执行', again: '再来一次', working: '进行中…',
  skipNow: '跳到下一次推送时间', startOver: '重新开始', stepDone: '已完成', progress: '已完成 {done} / {all}',
  logNote: '机器人对 Discord API 的请求，检查标准与 Discord 同样严格。', logEmpty: '暂无请求。', onlyRefused: '只看被拒绝的', count: '共 {all} 次请求，{refused} 次被拒绝',
  firstStep: '第一次来？从“试一试”的步骤开始，或在下方输入 /。', noBot: '这里还没有机器人。', somethingWrong: '操作失败：{error}',
  s1: '查一篇论文（故意拼错）', s1n: '拼错也能找到，卡片中英双语。',
  s2: '用中文查', s2n: '只需中文标题里的几个字。',
  s3: '关注一个机构', s3n: '它有新论文时，你会收到私信。',
  s4: '设置每日推送', s4n: '以管理员身份：#{channel}、09:00、中英双语。',
  s5: '放入明天的列表', s5n: '三篇虚构论文进入监视文件夹，关注者会收到一条消息。',
  s6: '跳到推送时间', s6n: '把时钟拨到 09:00，推送出现在 #{channel}。',
};

// A text by its key, with {names} filled in.
export function t(key, values = {}) {
  const chinese = store.state?.me.locale.startsWith('zh');
  const text = (chinese ? ZH : EN)[key] ?? EN[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

// What Discord's client says when an app fails, in the persona's language.
const CLIENT_WORDS = {
  'The application did not respond': '该应用未响应',
  'This interaction failed': '此交互失败',
  'Something went wrong. Try again.': '出错了，请重试。',
};

export function spoken(sentence) {
  return store.state?.me.locale.startsWith('zh') ? CLIENT_WORDS[sentence] || sentence : sentence;
}

export const LANGUAGE_NAMES = { 'en-US': 'English', 'zh-CN': '中文', 'zh-TW': '繁體' };

// What Discord's client shows of a registered name or description.
export function localised(data, field) {
  const texts = data[`${field}_localizations`];
  return texts?.[store.state?.me.locale] || data[field];
}
