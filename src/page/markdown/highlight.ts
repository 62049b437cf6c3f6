import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

const languages = { bash, diff, go, json, python, rust, typescript, xml, yaml };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);
// TypeScript's grammar also covers JavaScript, which saves a grammar.
hljs.registerAliases(['js', 'jsx', 'mjs', 'cjs', 'javascript'], { languageName: 'typescript' });
hljs.registerAliases(['console', 'shell'], { languageName: 'bash' });

/** Longer code stays plain: colours are not worth a dropped frame. */
const MAX_LENGTH = 20_000;

/** Highlighted HTML; null for an unknown language. It is sanitized together with the rest. */
export function highlight(code: string, language: string): string | null {
  if (code.length > MAX_LENGTH || hljs.getLanguage(language) === undefined) return null;
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}
