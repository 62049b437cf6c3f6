/**
 * The user's own words of a prompt, which Cursor sends in `<user_query>`, after the time and other context in elements of their own. What
 * it sends by itself begins on the line of the tag.
 */
export function promptText(sent: string): string {
  const text = sent.replaceAll('\r\n', '\n');
  const from = text.lastIndexOf(OPEN);
  const to = text.lastIndexOf(CLOSE);
  if (from < 0) return to >= 0 || WRAPPED.test(text) ? '' : text.trim();
  return text.slice(from + OPEN.length, to < from ? undefined : to).trim();
}

const OPEN = '<user_query>\n';
const CLOSE = '</user_query>';
/** What Cursor itself tells the model. */
const WRAPPED =
  /^\s{0,10}<(?:user_info|dynamic_tools|agent_skills|system_reminder|system-reminder|additional_data|attached_files|open_and_recently_viewed_files|git_status|rules|project_layout|timestamp)\b/;

/** When a prompt was sent: `<timestamp>Friday, Sep 4, 2026, 2:21 AM (UTC+8)</timestamp>`. Without a zone, it is unknown. */
export function timeOfPrompt(text: string): string | null {
  const found = TIME.exec(text.slice(0, 20_000));
  if (found === null) return null;
  const [, date, sign, hours = '0', minutes = '0'] = found;
  const local = Date.parse(`${date} UTC`);
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  return Number.isNaN(local) ? null : new Date(local - offset * 60_000).toISOString();
}

const TIME =
  /<timestamp>(?:[A-Z][a-z]{2,8}, )?([A-Z][a-z]{2,8} \d{1,2}, \d{4}, \d{1,2}:\d\d [AP]M) \(UTC(?:([+-])(\d{1,2})(?::(\d\d))?)?\)<\/timestamp>/;
