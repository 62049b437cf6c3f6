import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CARDS, type Connection, createWorld, toAnswer, type World } from '../support/machines/mcp-world.ts';

const INTENT = 'add real-time token usage cards to my dashboard';

let world: World;
let open: Connection[] = [];

beforeAll(async () => {
  world = createWorld();
  await world.run('index', '--no-embed');
}, 60_000);

afterAll(async () => {
  await Promise.all(open.map((one) => one.close()));
  world.remove();
});

/** A client whose user answers forms with these answers, in order. */
async function connectUser(answers: (ElicitResult | 'never')[]) {
  const connection = await world.connect({ capabilities: { elicitation: { form: {} } } });
  open = [...open, connection];
  const asked: { message: string; fields: string[]; labels: string[] }[] = [];
  connection.client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    const fields = 'requestedSchema' in params ? Object.keys(params.requestedSchema?.properties ?? {}) : [];
    const choice = 'requestedSchema' in params ? params.requestedSchema?.properties.choice : undefined;
    const { enumNames: labels = [] } = (choice ?? {}) as { enumNames?: string[] };
    asked.push({ message: params.message, fields, labels });
    const answer = answers[asked.length - 1] ?? { action: 'cancel' };
    return answer === 'never' ? new Promise<ElicitResult>(() => undefined) : answer;
  });
  return { ...connection, asked };
}

it('lets the user choose a session in a form, and prepares its fork', async () => {
  const user = await connectUser([{ action: 'accept', content: { choice: '1' } }]);
  const { structured, text } = await user.call('fork_detect', { intent: INTENT, interactive: true });
  expect(user.asked[0]?.message).toBe(`Which session should "${INTENT}" continue from?`);
  const [first = '', ...others] = user.asked[0]?.labels ?? [];
  expect(first).toMatch(
    /^Live token usage cards on the overview page · 6ddaaadd · .+ · \d+% · harbor-dashboard$/,
  );
  expect(others.slice(2)).toEqual(['None - start fresh', 'Type something', 'More … (2)']);
  expect(structured.choice).toEqual({ kind: 'session', session_id: CARDS });
  expect(structured.forked_session).toMatchObject({ resume_session_id: CARDS, launched: false });
  expect(text).toContain(`smart-fork fork ${CARDS.slice(0, 8)}`);
});

it('searches again for what the user types, and asks for a query if nothing was typed', async () => {
  const user = await connectUser([
    { action: 'accept', content: { choice: '5' } },
    { action: 'accept', content: { search_for: 'signed out after an hour, refresh token' } },
    { action: 'accept', content: { choice: '5', search_for: 'hamburger menu for phones' } },
    { action: 'accept', content: { choice: '4' } },
  ]);
  const { structured } = await user.call('fork_detect', { intent: INTENT, interactive: true });
  expect(user.asked.map(({ fields }) => fields)).toEqual([
    ['choice', 'search_for'],
    ['search_for'],
    ['choice', 'search_for'],
    ['choice', 'search_for'],
  ]);
  expect(user.asked[2]?.message).toContain('signed out after an hour');
  expect(user.asked[2]?.labels[0]).toMatch(/% · harbor-dashboard$/);
  expect(structured).toMatchObject({
    query: 'hamburger menu for phones',
    choice: { kind: 'fresh' },
    forked_session: null,
  });
});

it('offers the other sessions behind More, with their whole titles', async () => {
  const user = await connectUser([
    { action: 'accept', content: { choice: '6' } },
    { action: 'accept', content: { choice: '5' } },
  ]);
  const { structured } = await user.call('fork_detect', { intent: INTENT, interactive: true });
  const { labels = [] } = user.asked[1] ?? {};
  expect(labels).toHaveLength(7);
  expect(labels[3]).toContain('Responsive sidebar: drawer under 1024 px with focus handling · ');
  expect(labels.slice(5)).toEqual(['None - start fresh', 'Type something']);
  expect(structured.choice.kind).toBe('session');
  expect(labels[4]).toContain(structured.choice.session_id.slice(0, 8));
});

it('treats a declined form as no choice', async () => {
  const user = await connectUser([{ action: 'decline' }]);
  const { structured, text } = await user.call('fork_detect', { intent: INTENT, interactive: true });
  expect(structured.choice).toEqual({ kind: 'cancelled', session_id: null });
  expect(text).toContain('The user chose none of them');
});

it('warns if the client does not support forms', async () => {
  const plain = await world.connect();
  open = [...open, plain];
  const { structured } = await plain.call('fork_detect', { intent: INTENT, interactive: true });
  expect(structured.choice).toBeUndefined();
  expect(structured.warnings.join()).toContain('does not support forms');
});

it('stops asking when the call is cancelled, and continues to serve', async () => {
  const user = await connectUser(['never']);
  const controller = new AbortController();
  const call = user.client.callTool(
    { name: 'fork_detect', arguments: { intent: INTENT, interactive: true } },
    undefined,
    {
      signal: controller.signal,
    },
  );
  await expect.poll(() => user.asked.length).toBe(1);
  controller.abort();
  await expect(call).rejects.toThrow();
  const next = toAnswer((await user.client.callTool({ name: 'session_stats', arguments: {} })) as never);
  expect(next.structured.sessions).toBe(13);
});
