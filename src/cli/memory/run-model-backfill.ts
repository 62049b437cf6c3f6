import { dayOf } from '../../app/extractor/read-session.ts';
import { readSessions, totalCost } from '../../app/extractor/read-sessions.ts';
import { applyPrivacyRules } from '../../app/privacy/apply-privacy-rules.ts';
import { extractorDependencies } from '../../compose/extractor/extractor.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { count, plural } from '../../domain/text/time-text.ts';
import type { CommandContext } from '../run-command.ts';
import { confirm } from '../terminal/prompt.ts';
import { type Backfill, selectFiles } from './run-backfill.ts';

/** Has the model in `memory.extractor` read indexed sessions, within the day's budget. */
export async function runModelBackfill(
  context: CommandContext,
  options: Backfill & { yes?: boolean },
): Promise<void> {
  const { parts, terminal, signal } = context;
  const index = await parts.indexing();
  const deps = await extractorDependencies(parts, index);
  if (deps === null)
    throw new SmartForkError('USAGE', 'memory.extractor is off: no model reads sessions', {
      hint: 'smart-fork config set memory.extractor agent, or endpoint (docs/memory.md).',
    });
  // Rules newer than the index apply to the text that is sent, too.
  await applyPrivacyRules(index);
  const files = selectFiles(context, options);
  const ids = files?.map(({ sessionId }) => sessionId) ?? null;
  const cost = await totalCost(deps, ids);
  const used = deps.state.modelUse(dayOf(deps.now()));
  const say = (line: string) => (options.json === true ? undefined : terminal.out(line));
  const left = Math.max(0, deps.budget.callsPerDay - used.calls);
  const tokensLeft = Math.max(0, deps.budget.tokensPerDay - used.tokens);
  say(
    `${plural(cost.sessions, 'session')} to read with ${deps.languageModel.name}: ${plural(cost.calls, 'call')}, about ${plural(cost.tokens, 'token')}. Left today: ${plural(left, 'call')}, ${plural(tokensLeft, 'token')}.`,
  );
  if (cost.calls > 0 && options.yes !== true) {
    const question = `Send the redacted text of ${cost.sessions === 1 ? 'this session' : 'these sessions'} to it?`;
    const hint = 'Add --yes.';
    if (!(await confirm(question, { terminal, defaultYes: false, hint }))) return say('Nothing was sent.');
  }
  const done = await readSessions(deps, ids, signal);
  if (options.json === true) return terminal.out(JSON.stringify({ ...done, planned: cost }));
  say(
    `Read ${plural(done.sessions, 'session')} in ${plural(done.calls, 'call')}: ${plural(done.ideas, 'new finding')}, ${count(done.dropped)} dropped.`,
  );
  if (done.over_budget)
    say("Today's budget is used up. Run the command again tomorrow: it continues where it stopped.");
}
