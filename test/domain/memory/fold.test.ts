import { describe, expect, it } from 'vitest';
import { addToMemory } from '../../../src/domain/memory/extract/add-to-memory.ts';
import { emptyMemoryState } from '../../../src/domain/memory/extract/memory-state.ts';
import { MAX_IDEAS, MAX_OPEN } from '../../../src/domain/memory/extract/note-idea.ts';
import { takeChanges } from '../../../src/domain/memory/extract/take-changes.ts';
import type { TranscriptEvent } from '../../../src/domain/session/transcript-event.ts';
import { rounds } from '../../support/campaign.ts';
import { cpuTime } from '../../support/cpu-time.ts';
import { pick, type Random, seededRandom } from '../../support/random.ts';
import { remember, told } from './events.ts';

const at = { turn: 0, line: 1 };

describe('the fold from events to ideas and spans', () => {
  it('extracts the same ideas in one step as in many, wherever the events are cut', () => {
    for (let seed = 1; seed <= rounds({ quick: 40, slow: 1000 }); seed += 1) {
      const random = seededRandom(seed);
      const events = Array.from({ length: 60 }, () => anyEvent(random));
      const cuts = events.map((_, index) => index).filter(() => random(4) === 0);
      expect(remember(events, cuts), `seed ${seed}`).toEqual(remember(events));
    }
  });

  it('numbers ideas and spans without gaps, and puts every idea into an existing span', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const random = seededRandom(seed);
      const { ideas, spans, counts } = remember(Array.from({ length: 80 }, () => anyEvent(random)));
      expect(ideas.map(({ index }) => index)).toEqual(ideas.map((_, index) => index));
      expect(spans.map(({ index }) => index)).toEqual(spans.map((_, index) => index));
      expect(counts).toEqual({ ideas: ideas.length, spans: spans.length });
      for (const { span, relations, index } of ideas) {
        expect(spans[span]).toBeDefined();
        for (const { to } of relations) expect(to).toBeLessThan(index);
      }
    }
  });

  it('limits the ideas of a session, its state and each text, whatever the transcript contains', () => {
    const state = emptyMemoryState();
    const long = 'the cache of the server keeps old prices and '.repeat(30_000);
    let ideas = 0;
    for (let turn = 0; turn < 100; turn += 1) {
      const events = [
        told.user(`Why does part ${turn} fail so often on the server?`),
        told.todos(
          Array.from({ length: 100 }, (_, n) => ({
            id: null,
            text: `Step ${turn}.${n} of it`,
            status: 'open',
          })),
        ),
        told.asked(`Which of the stores of part ${turn} should it be? ${long}`, [long]),
        told.bash(`npm test part-${turn}`, `c${turn}`),
        told.result(`c${turn}`, `TypeError: number ${turn} ${long.slice(0, 300)}`),
        told.file(`src/file-${turn}.ts`),
        told.agent(turn % 25 === 0 ? `${long}\n- ${long}` : `- Finding ${turn} of the cache is new`, true),
      ];
      for (const event of events) addToMemory(state, event, { turn, line: turn });
      for (const idea of takeChanges(state).ideas) {
        ideas = Math.max(ideas, idea.index + 1);
        expect(Buffer.byteLength(idea.content) + Buffer.byteLength(idea.quote)).toBeLessThanOrEqual(1024);
      }
      expect(state.open.length).toBeLessThanOrEqual(MAX_OPEN);
      expect(JSON.stringify(state).length).toBeLessThan(100_000);
    }
    expect(ideas).toBeLessThanOrEqual(MAX_IDEAS);
  });

  it('takes time proportional to the length of a text', () => {
    const texts = [
      'a',
      '- ',
      '**',
      'because of ',
      '? ',
      'no ',
      '`',
      '#',
      '1. ',
      'error: ',
      '\n- the cache is ',
      '\u0000\ud800',
    ];
    for (const part of texts) {
      const events = [
        told.user(part.repeat(20_000)),
        told.agent(part.repeat(60_000), true),
        told.plan(part.repeat(9_000), 'p'),
      ];
      const time = cpuTime(() => {
        const state = emptyMemoryState();
        for (const event of [...events, told.result('p')]) addToMemory(state, event, at);
        takeChanges(state);
      });
      expect(time, JSON.stringify(part)).toBeLessThan(1500);
    }
  });

  it('quotes the transcript word for word in every idea', () => {
    const texts = [
      'Why does the **cart** use floats? no, always use integers instead of floats',
      '- **Root cause**: the [cache](a.md) was never _invalidated_ because of a typo',
    ];
    const { ideas } = remember([
      told.user(texts[0] ?? ''),
      told.agent(`## Fix\n${texts[1]}\n- it is done now, all of it`, true),
    ]);
    expect(ideas.length).toBeGreaterThanOrEqual(2);
    for (const { quote } of ideas)
      expect(`${texts.join('\n')}\n- it is done now, all of it`).toContain(quote);
  });
});

function anyEvent(random: Random): TranscriptEvent {
  const n = random(6);
  const events: TranscriptEvent[] = [
    told.user(`Why does part ${n} of the cart fail on the server?`),
    told.user(`no, always use store ${n} instead of the other one`),
    told.user(
      `Implement the following plan:\n# Plan ${n} of the cart\n## Context\nThe cart is slow on mobile phones.\n1. Do part ${n} of it\n2. Do the other part`,
    ),
    told.agent(`The root cause is that store ${n} was never opened.`),
    told.agent(
      `Done with it.\n- Part ${n} is now stored in the cache\n## Next steps\n- Measure part ${n} under load`,
      true,
    ),
    told.bash(`npm test part-${n}.ts`, `c${n}`),
    told.result(`c${n}`, random(2) === 0 ? null : `TypeError: part ${n} is undefined`),
    told.file(`src/part-${n}.ts`),
    told.commit(`Store part ${n} of the cart`, `abc123${n}`),
    told.todos([{ id: null, text: `Write part ${n} of it`, status: random(2) === 0 ? 'open' : 'done' }]),
    told.todos(
      [{ id: `${n}`, text: random(2) === 0 ? `Task ${n} of the list` : null, status: 'done' }],
      false,
    ),
    told.asked(`Which store should part ${n} use?`, ['SQLite', 'Files'], `a${n}`),
    told.answered(`Which store should part ${n} use?`, 'SQLite', `a${n}`),
    told.plan(`# Plan ${n}: Cache it\n1. Cache part ${n} of it\n2. Cache the rest`, `p${n}`),
    told.result(`p${n}`),
    {
      kind: 'context',
      branch: `feature/${n}`,
      cwd: `/srv/${n % 2}`,
      timestamp: `2026-07-0${n + 1}T09:00:00.000Z`,
    },
    {
      kind: 'compaction',
      timestamp: null,
      summary: `Summary:\n7. Pending Tasks:\n - Ship part ${n} of the cart`,
    },
  ];
  return pick(random, events);
}
