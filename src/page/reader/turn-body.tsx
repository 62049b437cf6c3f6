import type { Step, ToolStep as Tool, Turn } from '../api/types.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { count } from '../parts/format.ts';
import { useUnfolded } from '../route/unfolded.ts';
import { showsThinking } from './reader-options.ts';
import { SubagentStep } from './subagent-step.tsx';
import { ToolStep } from './tool-step.tsx';

interface TurnProperties {
  id: string;
  turn: Turn;
  /** Id of the subagent that the turn belongs to. */
  of?: string;
}

/** The question, followed by everything said and done, in the order of the transcript. */
export function TurnBody({ id, turn, of = '' }: TurnProperties) {
  const steps = stepsOf(turn);
  const isLate = steps.some(({ kind }) => kind === 'prompt');
  const prompt = turn.user !== '' && (
    <div class="prompt">
      <span class="hidden">Prompt:</span>
      <Markdown text={turn.user} />
    </div>
  );
  return (
    <>
      {isLate ? <p class="before">Before the first prompt</p> : prompt}
      {groupTools(steps).map((part, index) => {
        const name = `${of}${turn.index + 1}.${index + 1}`;
        if (!Array.isArray(part) && part.kind === 'prompt') return prompt;
        return Array.isArray(part) ? (
          <ToolRun key={index} tools={part} name={name} />
        ) : (
          <StepView key={index} id={id} step={part} name={name} />
        );
      })}
    </>
  );
}

function StepView({
  id,
  step,
  name,
}: {
  id: string;
  step: Exclude<Step, Tool | { kind: 'prompt' }>;
  name: string;
}) {
  if (step.kind === 'text') return <Markdown text={step.text} />;
  if (step.kind === 'thinking') return <Thinking text={step.text} />;
  if (step.kind === 'subagent') return <SubagentStep id={id} step={step} Body={TurnBody} />;
  return <Compaction summary={step.summary} name={name} />;
}

/** Without what the model thought, unless it is asked for: it would push the answers apart. */
function stepsOf({ steps, assistant }: Turn): Step[] {
  if (steps.length === 0 && assistant !== '') return [{ kind: 'text', text: assistant }];
  return showsThinking() ? steps : steps.filter(({ kind }) => kind !== 'thinking');
}

/** The keys of what must be unfolded to show the words in a turn. */
export function foldedOver(turn: Turn, words: RegExp): string[] {
  const has = (text = '') => text.search(words) !== -1;
  return groupTools(stepsOf(turn)).flatMap((part, index) => {
    const name = `${turn.index + 1}.${index + 1}`;
    if (!Array.isArray(part)) return part.kind === 'compaction' && has(part.summary ?? '') ? [name] : [];
    const hits = part.flatMap(({ summary, input, output, edits = [] }, at) =>
      has(summary) ||
      (!has(input) && !has(output) && !edits.some(({ before, after }) => has(before) || has(after)))
        ? []
        : [at],
    );
    const shown = part.flatMap(({ summary }, at) => (has(summary) ? [at] : []));
    const isHidden = (at: number) => at >= HEAD && at < part.length - TAIL;
    const isRunFolded = part.length > MAX_SHOWN && [...hits, ...shown].some(isHidden);
    return [...(isRunFolded ? [name] : []), ...hits.slice(0, TAIL).map((at) => `${name}.${at + 1}`)];
  });
}

/** Longer runs of calls are folded in the middle. */
const [MAX_SHOWN, HEAD, TAIL] = [10, 5, 3];

function ToolRun({ tools, name }: { tools: Tool[]; name: string }) {
  const [isUnfolded, unfoldRun] = useUnfolded(name);
  const folded = tools.slice(HEAD, -TAIL);
  const lines = tools.map((tool, index) => (
    <ToolStep key={index} tool={tool} name={`${name}.${index + 1}`} />
  ));
  if (isUnfolded || tools.length <= MAX_SHOWN) return <div class="tools">{lines}</div>;
  return (
    <div class="tools">
      {lines.slice(0, HEAD)}
      <button type="button" class="quiet folded" onClick={unfoldRun}>
        {count(folded.length, 'more call')}: {summarize(folded)}
      </button>
      {lines.slice(-TAIL)}
    </div>
  );
}

/** "12 Read, 7 Edit (2 failed)". */
function summarize(tools: Tool[]): string {
  const names = new Map<string, number>();
  for (const { name } of tools) names.set(name, (names.get(name) ?? 0) + 1);
  const failed = tools.filter((tool) => tool.failed === true).length;
  const list = [...names]
    .sort((one, other) => other[1] - one[1])
    .map(([name, number]) => `${number} ${name}`);
  return list.slice(0, 5).join(', ') + (failed > 0 ? ` (${failed} failed)` : '');
}

function Thinking({ text }: { text: string }) {
  return (
    <div class="thinking">
      <span class="hidden">Thinking:</span>
      <Markdown text={text} />
    </div>
  );
}

function Compaction({ summary, name }: { summary: string | null; name: string }) {
  const [isOpen, toggle] = useUnfolded(name);
  return (
    <div class="compaction">
      <p>
        <strong>Compacted.</strong> From here on, the agent no longer saw the messages above.
      </p>
      {summary !== null && (
        <>
          <button type="button" class="quiet" aria-expanded={isOpen} onClick={toggle}>
            The summary it saw instead
          </button>
          {isOpen && <Markdown text={summary} />}
        </>
      )}
    </div>
  );
}

function groupTools(steps: Step[]): (Tool[] | Exclude<Step, Tool>)[] {
  const parts: (Tool[] | Exclude<Step, Tool>)[] = [];
  for (const step of steps) {
    const last = parts.at(-1);
    if (step.kind !== 'tool') parts.push(step);
    else if (Array.isArray(last)) last.push(step);
    else parts.push([step]);
  }
  return parts;
}
