import { Marked, Tokenizer, type Tokens } from 'marked';
import { escapeHtml } from '../../domain/html/escape.ts';
import { isEmphasis } from '../../domain/text/emphasis.ts';
import { sanitize } from '../../domain/text/sanitize.ts';

/** Longer texts, such as a pasted log, stay as they are: the parser does not take linear time. */
const LONGEST = 30_000;

/**
 * Markdown of a transcript as HTML. Nothing of a text is lost: HTML, images, definitions, backslashes, and links that are not on the
 * web stay as they were written, as text.
 */
export function proseHtml(text: string): string {
  if (text.trim() === '') return '';
  if (text.length > LONGEST) return plain(text);
  try {
    return `<div class="text">${markdown.parse(sanitize(text), { async: false })}</div>`;
  } catch {
    // The parser cannot handle thousands of nested quotations.
    return plain(text);
  }
}

const plain = (text: string) => `<pre>${escapeHtml(text)}</pre>`;
const none = () => undefined;

const markdown = new Marked({
  gfm: true,
  // People write prompts like comments, where a new line is a line break.
  breaks: true,
  tokenizer: {
    html: none,
    tag: none,
    def: none,
    escape: none,
    // One tilde is a home folder.
    del: (source) => (source.startsWith('~~') ? false : undefined),
    emStrong(source, masked, before) {
      const token = Tokenizer.prototype.emStrong.call(this, source, masked, before);
      return token !== undefined && isEmphasis(token, source, before ?? '') ? token : undefined;
    },
  },
  renderer: {
    text(token: Tokens.Text | Tokens.Escape) {
      return 'tokens' in token && token.tokens !== undefined
        ? this.parser.parseInline(token.tokens)
        : escapeHtml(token.text);
    },
    codespan: ({ text }) => `<code>${escapeHtml(text)}</code>`,
    code({ text, lang = '' }) {
      const isLanguage = /^[\w+#.-]*$/.test(lang);
      return plain(isLanguage ? text : `${lang}\n${text}`);
    },
    heading({ tokens, depth }) {
      // The document's own headings rank above these.
      const level = Math.min(6, depth + 2);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
    link({ href, raw, tokens }) {
      if (!/^https?:\/\//i.test(href)) return escapeHtml(raw);
      return `<a href="${escapeHtml(href)}" rel="noopener noreferrer nofollow">${this.parser.parseInline(tokens)}</a>`;
    },
    image: ({ raw }) => escapeHtml(raw),
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    // The backslash at the end of a command's line.
    br: ({ raw }) => (raw.startsWith('\\') ? '&#92;<br>' : '<br>'),
    table({ raw, header, rows }) {
      // The parser drops cells beyond the header's, such as those of code that contains "|".
      if (
        lettersOf([header, ...rows].flat().map(({ text }) => text)) !==
        lettersOf(raw.split('\n').toSpliced(1, 1))
      )
        return plain(raw.trimEnd());
      const row = (cells: Tokens.TableCell[], name: 'th' | 'td') =>
        `<tr>${cells.map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name}>`).join('')}</tr>`;
      return `<table><thead>${row(header, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table>`;
    },
  },
});

function lettersOf(texts: string[]): string {
  return texts.join('').replace(/[\s|\\]/g, '');
}
