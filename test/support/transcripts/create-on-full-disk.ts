import { spawnSync } from 'node:child_process';
import { AGENT_SOURCES } from '../../../src/compose/agents/sources.ts';
import type { Agent } from '../../../src/domain/agent/agents.ts';
import { FORK, ORIGIN, timeAt } from './small-agents.ts';

// Makes a session of 100 kB for an agent in a home, on what has the effect of a full disk, and prints why that failed. It is a
// process of its own, because the limit holds for all that a process writes.
const [agent = '', home = ''] = process.argv.slice(2);
const create = await AGENT_SOURCES[agent as Agent]();
const messages = [{ role: 'user' as const, text: 'x'.repeat(100_000), timestamp: timeAt(1) }];
const request = {
  conversation: { title: 'x', messages },
  originId: ORIGIN,
  sessionId: FORK,
  workingDirectory: '/x',
};
// A write that crosses the limit writes a part, and reports no error.
const limited = spawnSync('prlimit', ['--pid', `${process.pid}`, '--fsize=65536:']);
if (limited.status !== 0) throw new Error('no limit was set');
try {
  create({ homes: [home] }).create?.(request);
  process.stdout.write('created');
} catch (error) {
  process.stdout.write(String(error));
}
