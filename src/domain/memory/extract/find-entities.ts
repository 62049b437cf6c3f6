import { groupsIn, peopleIn, projectsIn, technologiesIn } from '../text/names.ts';
import type { MemoryState } from './memory-state.ts';

const MAX_ENTITIES = 16;
const MAX_LENGTH = 120;

/** Entities named in a text, as `type:name`. Files count only if a tool changed them in the session. */
export function entitiesOf(state: MemoryState, text: string, more: string[]): string[] {
  const { folder, branch } = state.topics;
  const found = new Set(more.map(normal));
  const add = (type: string, names: Iterable<string>) => {
    for (const name of names) found.add(`${type}:${name}`);
  };
  add('file', filesNamed(state, text));
  for (const url of text.match(URLS) ?? []) found.add(urlEntity(url));
  add('technology', technologiesIn(text));
  add('project', projectsIn(text, folder === null ? null : lastOf(folder)));
  add('person', peopleIn(text));
  for (const number of groupsIn(text, PULL)) add('pull-request', [`#${number}`]);
  for (const hash of groupsIn(text, COMMIT)) add('commit', [hash.slice(0, 7)]);
  // A signature says more than the type.
  if (!more.some((one) => one.startsWith('error:')))
    for (const name of text.match(ERROR) ?? []) add('error', [name.toLowerCase()]);
  if (branch?.includes('/') === true && text.includes(branch)) add('branch', [branch]);
  return [...found].filter((entity) => entity.length <= MAX_LENGTH).slice(0, MAX_ENTITIES);
}

const URLS = /https?:\/\/[^\s"'`<>()[\]{}|\\^]{4,200}/g;
const PULL = /\b(?:PR|pull request) #?(\d{1,7})\b/gi;
/** A hash has a digit and a letter: `decade` and 2026070 are none. */
const COMMIT = /(?:`|\bcommit )((?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40})\b/g;
const ERROR = /\b(?:[A-Z]\w{2,40}(?:Error|Exception)|E[A-Z]{5,14}|SQLITE_[A-Z_]{3,30}|TS\d{4,5})\b(?!\()/g;

export function urlEntity(url: string): string {
  const pull = /github\.com\/([\w.-]{1,60}\/[\w.-]{1,80})\/pull\/(\d{1,8})/.exec(url);
  if (pull !== null) return `pull-request:${pull[1]?.toLowerCase()}#${pull[2]}`;
  return `url:${url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/(?<![.,;:!?)/])[.,;:!?)/]+$/, '')}`;
}

export function packagesOf(command: string): string[] {
  const [, words] = INSTALL.exec(command) ?? [];
  if (words === undefined) return [];
  const names = words
    .split(/\s+/)
    .filter((word) => /^(?:@[\w.-]{1,60}\/)?[\w][\w.-]{0,80}(?:@[\w.^~-]{1,40})?$/.test(word));
  return names.slice(0, 10).map((name) => `package:${name.replace(/(?<=.)@[^@/]*$/, '').toLowerCase()}`);
}

const INSTALL =
  /\b(?:npm (?:i|install|add)|pnpm add|yarn add|bun add|pip3? install|uv add|poetry add|cargo add|gem install|go get)\s+((?:[^\s;&|<>]{1,100}\s{0,3}){1,12})/;

function normal(entity: string): string {
  return entity.replace(/\s+/g, ' ').trim().slice(0, MAX_LENGTH).toWellFormed();
}

function filesNamed({ topics }: MemoryState, text: string): string[] {
  return (topics.path[0]?.span.files ?? []).filter((file) => {
    const name = lastOf(file);
    return name.length > 3 && text.includes(name);
  });
}

function lastOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
