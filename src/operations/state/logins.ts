import { SmartForkError } from '../../domain/errors.ts';
import type { PageLogin, PageLogins } from '../../ports/page-logins.ts';
import { flag, list, text } from '../fields.ts';
import { operation } from '../operation.ts';

export const logins = operation({
  summary: 'list the browsers that are signed in to the page of serve',
  effect: 'reads',
  fields: {},
  run: async (open) => ({ logins: open.logins.list() }),
});

const id = text({ about: 'a login’s id or its beginning', min: 4, max: 64 });

export const logout = operation({
  summary: 'sign browsers out of the page of serve',
  effect: 'writes',
  fields: {
    ids: list(id, { about: 'ids of logins, or their beginnings', most: 1000 }),
    all: flag({ about: 'all browsers' }),
  },
  async run({ logins }, { ids = [], all = false }, { nameOf }) {
    if (all === ids.length > 0)
      throw new SmartForkError('USAGE', `give either ids of logins or ${nameOf('all')}`, {
        hint: 'smart-fork logins lists them.',
      });
    const known = logins.list();
    const ended = all ? known : ids.map((one) => loginOf(known, one));
    for (const login of ended) logins.end(login.id);
    return { ended: [...new Set(ended.map((login) => login.id))] };
  },
});

function loginOf(known: ReturnType<PageLogins['list']>, given: string): PageLogin {
  const [only, another] = known.filter((login) => login.id.startsWith(given));
  if (only !== undefined && another === undefined) return only;
  throw new SmartForkError(
    'USAGE',
    `${only === undefined ? 'no' : 'more than one'} login begins with ${given}`,
    {
      hint: 'smart-fork logins lists them.',
    },
  );
}
