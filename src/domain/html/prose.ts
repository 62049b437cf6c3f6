import { escapeHtml } from './escape.ts';

/**
 * Markdown of a transcript as HTML: code blocks, headings, code, emphasis and web addresses. Everything else stays as it was written,
 * line by line. All text is escaped first, so no markup of a transcript is left, and every expression takes linear time.
 */
export function proseHtml(text: string): string {
  const parts: string[] = [];
  let block: string[] = [];
  let fence: string | null = null;
  const close = () => {
    const isCode = fence !== null;
    const whole = block.join('\n');
    if (isCode) parts.push(`<pre>${escapeHtml(whole)}</pre>`);
    else if (whole.trim() !== '')
      parts.push(`<div class="text">${block.map(lineHtml).join('\n').trim()}</div>`);
    block = [];
  };
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1];
    const isEnd: boolean = fence !== null && line.trim() === mark && mark.startsWith(fence);
    if (mark !== undefined && (isEnd || fence === null)) {
      close();
      fence = isEnd ? null : mark;
    } else block.push(line);
  }
  close();
  return parts.join('');
}

function lineHtml(line: string): string {
  const heading = /^#{1,6} (.*)$/.exec(line)?.[1];
  if (heading !== undefined) return `<b class="heading">${inlineHtml(heading)}</b>`;
  return inlineHtml(line);
}

function inlineHtml(text: string): string {
  return text
    .split('`')
    .map((part, index, all) => {
      if (index % 2 === 0) return emphasisHtml(part);
      // A backtick that is never closed is one.
      return index === all.length - 1 ? `&#96;${emphasisHtml(part)}` : `<code>${escapeHtml(part)}</code>`;
    })
    .join('');
}

function emphasisHtml(text: string): string {
  return text
    .split('**')
    .map((part, index, all) => {
      const html = linksHtml(part);
      if (index % 2 === 0) return html;
      return index === all.length - 1 ? `**${html}` : `<strong>${html}</strong>`;
    })
    .join('');
}

/** Only http and https, which cannot run anything. */
function linksHtml(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"')\]]+)/)
    .map((part, index) => {
      const html = escapeHtml(part);
      return index % 2 === 0 ? html : `<a href="${html}" rel="noopener noreferrer nofollow">${html}</a>`;
    })
    .join('');
}
