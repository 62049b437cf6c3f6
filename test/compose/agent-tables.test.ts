import { expect, it } from 'vitest';
import { AGENT_ROWS, AGENTS, type Agent } from '../../src/domain/agent/agents.ts';

// `npm run derive` writes both files from the rows of the agents.

const WRITTEN = '// Written by `npm run derive` from the rows in src/domain/agent/agents.ts.\n';

it('has a source for each agent, from its folder', async () => {
  const creator = (agent: string) => `create${agent.charAt(0).toUpperCase()}${agent.slice(1)}Source`;
  const [needed, others] = [true, false].map((has) =>
    AGENTS.filter((agent) => (AGENT_ROWS[agent].program !== null) === has),
  ) as [Agent[], Agent[]];
  const pathOf = (agent: Agent) => `'../../adapters/${agent}/source.ts'`;
  const imports = needed.map((agent) => `import { ${creator(agent)} } from ${pathOf(agent)};\n`).sort();
  const later = (agent: Agent) => {
    const found = `${agent}: () => import(${pathOf(agent)}).then((source) => source.${creator(agent)}),`;
    return found.length <= 108 ? found : found.replace('=> import', '=>\n    import');
  };
  const text = `${WRITTEN}${imports.join('')}import type { Agent } from '../../domain/agent/agents.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';

type Create = (options: { homes: string[] }) => TranscriptSource;

/**
 * The transcripts of each agent in its folders. Every search loads those of agents that it may start; \`setups.ts\` has what \`init\`
 * needs.
 */
export const AGENT_SOURCES: Record<Agent, () => Create | Promise<Create>> = {
${needed.map((agent) => `  ${agent}: () => ${creator(agent)},\n`).join('')}${others.map((agent) => `  ${later(agent)}\n`).join('')}};
`;
  await expect(text).toMatchFileSnapshot('../../src/compose/agents/sources.ts');
});

it('names each agent in the page, which has no other part of the program in it', async () => {
  const names = AGENTS.map((agent) => `  ${agent}: '${AGENT_ROWS[agent].shortName}',\n`);
  const text = `${WRITTEN}import type { Agent } from '../../domain/agent/agents.ts';

/** The agents' names in lists. */
export const AGENT_NAMES: Record<Agent, string> = {
${names.join('')}};
`;
  await expect(text).toMatchFileSnapshot('../../src/page/parts/agent-names.ts');
});
