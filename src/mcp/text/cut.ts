export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed().trimEnd()}…`;
}
