import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { IDEA_KINDS } from '../../../src/domain/session/ideas.ts';
import { type Half, readLabelledSessions, readLabelledTopics, readMemoryQuestions } from './memory-sets.ts';

const halfOf = (id: string): Half =>
  (createHash('sha256').update(id).digest()[0] ?? 0) % 2 === 0 ? 'tuning' : 'held-out';

describe('the labelled memory set', () => {
  it('labels 300 ideas of every kind in 40 sessions of both agents', () => {
    const sessions = readLabelledSessions();
    expect(new Set(sessions.map(({ session }) => session)).size).toBeGreaterThanOrEqual(40);
    expect(new Set(sessions.map(({ agent }) => agent)).size).toBe(2);
    const ideas = sessions.flatMap((one) => one.ideas);
    expect(ideas.length).toBeGreaterThanOrEqual(300);
    for (const kind of IDEA_KINDS)
      expect(ideas.filter((idea) => idea.kind === kind).length).toBeGreaterThanOrEqual(25);
  });

  it('labels only turns of the stretch, and whether questions, problems and todos are open', () => {
    for (const { turns, ideas } of readLabelledSessions())
      for (const idea of ideas) {
        expect(idea.turn).toBeGreaterThanOrEqual(turns[0]);
        expect(idea.turn).toBeLessThanOrEqual(turns[1]);
        expect(idea.open !== undefined).toBe(['question', 'problem', 'todo'].includes(idea.kind));
      }
  });

  it('labels the topics of 30 sessions, in order', () => {
    const topics = readLabelledTopics();
    expect(topics.length).toBeGreaterThanOrEqual(30);
    for (const { begins, turns } of topics) {
      expect(begins).toEqual([...new Set(begins)].sort((a, b) => a - b));
      expect(begins.every((turn) => turn < turns)).toBe(true);
    }
  });

  it('has 80 different questions', () => {
    const questions = readMemoryQuestions().map(({ question }) => question);
    expect(new Set(questions).size).toBe(questions.length);
    expect(questions.length).toBeGreaterThanOrEqual(80);
  });

  it('splits sessions by the hash of their ids', () => {
    for (const { session, half } of [...readLabelledSessions(), ...readLabelledTopics()])
      expect(half, session).toBe(halfOf(session));
    for (const { answers, half } of readMemoryQuestions())
      expect(half).toBe(halfOf(answers[0]?.session ?? ''));
  });
});
