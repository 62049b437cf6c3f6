import { expect, it } from 'vitest';
import { homeVariable, usedHome } from '../../src/config/used-home.ts';

const env = { HOME: '/home/dev' };
const path = (home: string) => `${home}/sessions/one.jsonl`;

it('takes the home from the variable, or else the default', () => {
  expect(usedHome('codex', env)).toBe('/home/dev/.codex');
  expect(usedHome('codex', { ...env, CODEX_HOME: '/work/codex' })).toBe('/work/codex');
});

it('names the variable only for another home than the program uses', () => {
  const homes = ['/home/dev/.codex', '/work/codex'];
  const place = { homes, used: '/home/dev/.codex' };
  expect(homeVariable('codex', place, path('/home/dev/.codex'))).toBeNull();
  expect(homeVariable('codex', place, path('/elsewhere'))).toBeNull();
  expect(homeVariable('codex', place, path('/work/codex'))).toEqual({
    name: 'CODEX_HOME',
    value: '/work/codex',
  });
});

it.each([
  ['opencode', 'XDG_DATA_HOME', '/home/dev/.local/share', 'opencode'],
  ['gemini', 'GEMINI_CLI_HOME', '/home/dev', '.gemini'],
] as const)('gives %s’s variable the folder that contains the home', (agent, name, parent, folder) => {
  const used = usedHome(agent, env);
  expect(used).toBe(`${parent}/${folder}`);
  const place = { homes: [parent, `/work/${folder}`, '/plain'], used };
  expect(homeVariable(agent, place, path(`${parent}/${folder}`))).toBeNull();
  expect(homeVariable(agent, place, path(`/work/${folder}`))).toEqual({ name, value: '/work' });
  expect(homeVariable(agent, place, path('/plain'))).toEqual({ name, value: '/plain' });
});
