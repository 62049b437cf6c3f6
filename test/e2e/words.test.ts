import { expect, it } from 'vitest';
import { runCli, runJson } from '../support/machines/cli.ts';
import { connect } from '../support/machines/mcp-world.ts';
import { sharedWorld } from '../support/machines/shared-world.ts';
import { line, stampLines, uuidOf, writeClaude } from '../support/transcripts/claude-transcripts.ts';

const IDS = ['first', 'second', 'third'].map(uuidOf);

const world = sharedWorld(async (made) => {
  for (const [at, id] of IDS.entries())
    writeClaude(
      made.claudeHome,
      id,
      stampLines(
        [
          line.user(`Paint the zebra number ${at}`),
          line.assistant(`The zebra ${at} is painted.\nWORKING_SOLUTION: paint zebra ${at} with lacquer`),
        ],
        { sessionId: id, branch: 'fix/zebra-stripes' },
      ),
    );
  await runCli(made, ['index', '--no-embed']);
  await runCli(made, ['tag', IDS[0] ?? '', 'baseline']);
});

it('prints the help of a command that cannot run alone', async () => {
  for (const name of ['tag', 'memory', 'service', 'model', 'config', 'key', 'show', 'which']) {
    const { status, stdout, stderr } = await runCli(world(), [name]);
    expect([name, status]).toEqual([name, 2]);
    expect(stdout).toMatch(new RegExp(`^smart-fork ${name} <`));
    expect(stdout).toContain('Examples:');
    expect(stderr).toMatch(/^error: missing </);
  }
});

it('proposes the value that was meant: of options, and of filters that no session matches', async () => {
  const cases: [words: string[], meant: string][] = [
    [['sessions', '--agent', 'claud'], 'did you mean claude?'],
    [['search', 'zebra', '--mode', 'dens'], 'did you mean dense?'],
    [['search', 'zebra', '--outcome', 'edit'], 'did you mean edited?'],
    [['open', '--kind', 'questoin'], 'did you mean question?'],
    [['usage', '--by', 'modell'], 'did you mean model?'],
    [['sessions', '--branch', 'fix/zebra-strips'], 'did you mean "fix/zebra-stripes"?'],
    [['search', 'zebra', '--branch', 'fix/zebra-strips'], 'did you mean "fix/zebra-stripes"?'],
    [['timeline', '--branch', 'fix/zebra-strips'], 'did you mean "fix/zebra-stripes"?'],
    [['recall', 'zebra', '--tag', 'basline'], 'did you mean "baseline"?'],
  ];
  for (const [words, meant] of cases) {
    const { stdout, stderr } = await runCli(world(), words);
    expect([words, (stdout + stderr).replace(/\s+/g, ' ')]).toEqual([words, expect.stringContaining(meant)]);
  }
  const { notices } = await runJson(world(), ['sessions', '--tag', 'basline']);
  expect(notices).toMatchObject([{ code: 'FILTER_UNMATCHED' }]);
});

it('proposes the same to agents', async () => {
  const env = { ...world().env, PATH: process.env.PATH ?? '' };
  const server = await connect(env, world().folder, {});
  try {
    const wrong = await server.call('list_sessions', { agent_type: 'claud' });
    expect(wrong.error?.message).toContain('did you mean claude?');
    for (const [tool, args] of [
      ['list_sessions', {}],
      ['recall', { query: 'zebra' }],
      ['fork_detect', { intent: 'zebra' }],
    ] as const) {
      const { text } = await server.call(tool, { ...args, tag: 'basline' });
      expect([tool, text]).toEqual([tool, expect.stringMatching(/^note: .*did you mean "baseline"\?/)]);
    }
  } finally {
    await server.close();
  }
});

it('says how many sessions matched when it shows fewer', async () => {
  expect((await runCli(world(), ['search', 'zebra', '-n', '1'])).stdout).toMatch(
    /^1 of 3 sessions for "zebra"/,
  );
  expect(await runJson(world(), ['search', 'zebra', '-n', '1'])).toMatchObject({ matched: 3 });
  expect((await runCli(world(), ['search', 'zebra'])).stdout).toMatch(/^3 sessions for "zebra"/);
  // Without a topic, too.
  const { stdout } = await runCli(world(), ['search', '-n', '2', '--', '-giraffe']);
  expect(stdout).toMatch(/^2 of 3 sessions for "-giraffe"/);
});

it('takes words for a time in options, as in queries', async () => {
  for (const command of [['sessions'], ['search', 'zebra'], ['usage'], ['index', '--no-embed']]) {
    const { status, stderr } = await runCli(world(), [...command, '--since', 'last week']);
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('not a time')]);
  }
});

it('says what to do after indexing, once there is something new', async () => {
  const { stdout } = await runCli(world(), ['index', '--no-embed', '--force']);
  expect(stdout).toContain('Next: smart-fork fork');
  expect((await runCli(world(), ['index', '--no-embed'])).stdout).not.toContain('Next:');
});

it('groups usage by repo', async () => {
  const [short, long] = await Promise.all(
    ['repo', 'repository'].map((by) => runCli(world(), ['usage', '--by', by])),
  );
  expect(short).toMatchObject({ status: 0, stdout: expect.stringMatching(/^repo /) });
  expect(long).toMatchObject({ status: 0 });
});

it('names the session of each finding, and of each id it prints', async () => {
  const { sessions } = await runJson(world(), ['timeline', '--kind', 'solution']);
  const ideas = (sessions as { ideas: { session_id: string; session_title: string }[] }[]).flatMap(
    (one) => one.ideas,
  );
  expect(ideas.length).toBeGreaterThan(0);
  for (const idea of ideas)
    expect(idea.session_title).toBe(`Paint the zebra number ${IDS.indexOf(idea.session_id)}`);
  expect((await runCli(world(), ['star', IDS[0] ?? ''])).stdout).toBe(
    `${IDS[0]?.slice(0, 8)} Paint the zebra number 0: starred\n`,
  );
});
