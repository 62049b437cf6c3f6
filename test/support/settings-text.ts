import { OTHER_VARIABLES, settingKeys, settingRows } from '../../src/config/settings.ts';

/** The text of `.env.example`, generated from the table of settings. */
export function envExample(): string {
  const own = settingKeys().flatMap((key) => {
    const { variable, description, masked } = settingRows[key];
    const standard = defaultOf(key);
    const note = standard === '' || masked !== undefined ? '' : ` (default: ${standard})`;
    return variable === undefined ? [] : [`# ${description}${note}\n#${variable}=`];
  });
  const others = Object.entries(OTHER_VARIABLES).filter(([, { dotenv }]) => dotenv);
  return [
    '# Copy what you need to ~/.smart-fork/.env, or set it in your shell. Everything is optional.\n' +
      '# smart-fork does not read a .env file in the current folder. docs/configuration.md lists every setting.',
    ...own,
    ...others.map(([name, { description }]) => `# ${description}\n#${name}=`),
  ]
    .join('\n\n')
    .concat('\n');
}

/** The tables of docs/configuration.md. */
export function settingsTable(): string {
  const rows = settingKeys().map((key) => {
    const { variable, description, kind } = settingRows[key];
    return [code(key), code(variable ?? ''), kind.expected, code(defaultOf(key)), description];
  });
  return markdownTable(['Setting', 'Variable', 'Value', 'Default', 'What it is for'], rows);
}

export function variablesTable(): string {
  const rows = Object.entries(OTHER_VARIABLES).map(([name, { description, dotenv }]) => [
    code(name),
    description,
    dotenv ? 'environment, .env' : 'environment',
  ]);
  return markdownTable(['Variable', 'What it is for', 'Read from'], rows);
}

function defaultOf(key: ReturnType<typeof settingKeys>[number]): string {
  const { default: standard, defaultText } = settingRows[key];
  if (defaultText !== undefined) return defaultText;
  return Array.isArray(standard) ? standard.join(', ') : String(standard ?? '');
}

function markdownTable(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function code(text: string): string {
  return text === '' ? '' : /^[\w./~-]+$/.test(text) ? `\`${text}\`` : text;
}
