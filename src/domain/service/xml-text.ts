/** Escapes an element's text. The result is ASCII, so that no reader can mistake the encoding. */
export function xmlText(text: string): string {
  return text.replace(/[&<>"']|[^\x20-\x7e]/gu, (found) => `&#${found.codePointAt(0)};`);
}
