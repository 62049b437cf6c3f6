import DOMPurify from 'dompurify';
import { Marked, Tokenizer, type Tokens } from 'marked';
import { isEmphasis } from '../../domain/text/emphasis.ts';
import { highlight } from './highlight.ts';
import { visible } from './visible.ts';

/**
 * Renders Markdown from a transcript. Transcripts are hostile input, and this is the only place that sets HTML. Raw HTML is shown as
 * text, images are named but not loaded, and DOMPurify has the last word, whatever the steps before it let through.
 */
export function renderMarkdown(element: HTMLElement, text: string): void {
  const html = rendered.get(text) ?? format(text);
  if (html === null) {
    element.textContent = visible(text);
    return;
  }
  if (rendered.size > MAX_KEPT) rendered.clear();
  rendered.set(text, html);
  element.innerHTML = html;
}

/** Whether the text has been rendered before and is cheap to render again. */
export function isRendered(text: string): boolean {
  return rendered.has(text);
}

const MAX_KEPT = 2000;
const rendered = new Map<string, string>();

/** Null for text that the parser cannot handle, such as thousands of nested quotations. It is then shown unformatted. */
function format(text: string): string | null {
  try {
    return clean(markdown.parse(visible(text), { async: false }));
  } catch {
    return null;
  }
}

/** Trusted HTML if the browser supports Trusted Types; the DOM's type declarations still say string. */
function clean(html: string): string {
  return purifier.sanitize(html, ALLOWED) as unknown as string;
}

const ALLOWED = {
  ALLOWED_TAGS: [
    ...['a', 'b', 'blockquote', 'br', 'code', 'del', 'em', 'h3', 'h4', 'h5', 'h6', 'hr', 'li', 'ol'],
    ...['p', 'pre', 'span', 'strong', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul'],
  ],
  ALLOWED_ATTR: ['href', 'title', 'class', 'start', 'rel', 'target', 'tabindex'],
  ALLOWED_URI_REGEXP: /^https?:\/\//i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_TRUSTED_TYPE: true as const,
};

const purifier = DOMPurify();
purifier.addHook('uponSanitizeAttribute', (_, data) => {
  // Only the classes of highlighted code, so that a transcript cannot imitate the page.
  const classes = data.attrName === 'class' ? data.attrValue.trim().split(' ') : [];
  if (!classes.every((name) => /^(?:hljs|hljs-[\w-]+|function_|class_|inherited__)$/.test(name)))
    data.keepAttr = false;
});

const markdown = new Marked({
  gfm: true,
  // People write prompts like comments, where a new line is a line break.
  breaks: true,
  tokenizer: {
    emStrong(source, masked, before) {
      const token = Tokenizer.prototype.emStrong.call(this, source, masked, before);
      return token !== undefined && isEmphasis(token, source, before ?? '') ? token : undefined;
    },
  },
  renderer: {
    html: ({ text }: Tokens.HTML | Tokens.Tag) => `<span class="hljs-meta">${escapeHtml(text)}</span>`,
    image: ({ href, text }: Tokens.Image) =>
      `<span class="hljs-comment">[image: ${escapeHtml(text || href)}]</span>`,
    code: ({ text, lang }: Tokens.Code) => {
      const language = /^[\w+#-]+/.exec(lang ?? '')?.[0].toLowerCase() ?? '';
      return `<pre class="hljs" tabindex="0"><code>${highlight(text, language) ?? escapeHtml(text)}</code></pre>`;
    },
    heading({ tokens, depth }: Tokens.Heading) {
      // The page's own headings rank above these.
      const level = Math.min(6, depth + 2);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
    link({ href, tokens }: Tokens.Link) {
      const inner = this.parser.parseInline(tokens);
      if (!/^https?:\/\//i.test(href)) return inner;
      return `<a href="${escapeHtml(href)}" title="${escapeHtml(href)}" target="_blank" rel="noopener noreferrer nofollow">${inner}</a>`;
    },
    checkbox: ({ checked }: Tokens.Checkbox) => (checked ? '☑ ' : '☐ '),
  },
});

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
