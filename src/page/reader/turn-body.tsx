import { useState } from 'preact/hooks';
import type { Step, ToolStep as Tool, Turn } from '../api/types.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { count } from '../parts/format.ts';
import { SubagentStep } from './subagent-step.tsx';
import { ToolStep } from './tool-step.tsx';

/** What was asked, then what was said and done, in the order of the transcript. */
export function TurnBody({ id, turn }: { id: string; turn: Turn }) {
  const steps: Step[] =
    turn.steps.length === 0 && turn.assistant !== '' ? [{ kind: 'text', text: turn.assistant }] : turn.steps;
  return (
    <>
      {turn.user !== '' && (
        <div class="prompt">
          <span class="hidden">Prompt:</span>
          <Markdown text={turn.user} />
        </div>
      )}
      {groupTools(steps).map((part, index) =>
        Array.isArray(part) ? (
          <ToolRun key={index} tools={part} />
        ) : (
          <StepView key={index} id={id} step={part} />
        ),
      )}
    </>
  );
}

function StepView({ id, step }: { id: string; step: Exclude<Step, Tool> }) {
  if (step.kind === 'text') return <Markdown text={step.text} />;
  if (step.kind === 'subagent') return <SubagentStep id={id} step={step} Body={TurnBody} />;
  return <Compaction summary={step.summary} />;
}

/** Longer runs of calls are folded in the middle. */
const [MOST_SHOWN, HEAD, TAIL] = [10, 5, 3];

function ToolRun({ tools }: { tools: Tool[] }) {
  const [isWhole, setWhole] = useState(tools.length <= MOST_SHOWN);
  const folded = tools.slice(HEAD, -TAIL);
  const shown = (list: Tool[]) => list.map((tool, index) => <ToolStep key={index} tool={tool} />);
  if (isWhole) return <div class="tools">{shown(tools)}</div>;
  return (
    <div class="tools">
      {shown(tools.slice(0, HEAD))}
      <button type="button" class="quiet folded" onClick={() => setWhole(true)}>
        {count(folded.length, 'more call')}: {summarize(folded)}
      </button>
      {shown(tools.slice(-TAIL))}
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

function Compaction({ summary }: { summary: string | null }) {
  return (
    <div class="compaction">
      <p>
        <strong>Compacted.</strong> From here on, the agent no longer saw what is above.
      </p>
      {summary !== null && (
        <details>
          <summary>What it saw instead</summary>
          <Markdown text={summary} />
        </details>
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
