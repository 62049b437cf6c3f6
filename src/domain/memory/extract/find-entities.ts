import type { MemoryState } from './memory-state.ts';

const MAX_ENTITIES = 16;
const MAX_LENGTH = 120;

/** Entities named in a text, as `type:name`. Files count only if a tool changed them in the session. */
export function entitiesOf(state: MemoryState, text: string, more: string[]): string[] {
  const found = new Set(more.map(normal));
  for (const file of filesNamed(state, text)) found.add(`file:${file}`);
  for (const [url] of text.matchAll(/https?:\/\/[^\s"'`<>()[\]{}|\\^]{4,200}/g)) found.add(urlEntity(url));
  for (const [, name] of text.matchAll(/`([\p{L}_$@][\w$.@/:-]{2,60})(?:\(\))?`/gu)) {
    if (name !== undefined) found.add(`concept:${name.toLowerCase()}`);
  }
  for (const [name] of text.matchAll(/\b(?:[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+|[a-z]\w*_\w+)\b/g)) {
    if (name.length <= 60) found.add(`concept:${name.toLowerCase()}`);
  }
  if (state.topics.branch !== null && text.includes(state.topics.branch) && state.topics.branch.includes('/'))
    found.add(`branch:${state.topics.branch}`);
  return [...found].filter((entity) => entity.length <= MAX_LENGTH).slice(0, MAX_ENTITIES);
}

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
    const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
    return name.length > 3 && text.includes(name);
  });
}
