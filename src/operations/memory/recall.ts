import { recall as answer } from '../../app/memory/recall/recall.ts';
import { IDEA_KINDS } from '../../domain/session/ideas.ts';
import { choice, count, flag, list, text } from '../fields.ts';
import { also, everywhere, filters, filterWithoutAsker, mine, preferredProject } from '../filters.ts';
import { opened } from '../open.ts';
import { operation } from '../operation.ts';

export const kinds = list(choice(IDEA_KINDS, { about: 'a kind of finding' }), {
  about: 'only findings of this kind',
  most: IDEA_KINDS.length,
  least: 1,
});

export const recall = operation({
  summary: 'answer a question from past decisions, findings and open items',
  effect: 'reads',
  fields: {
    query: text({
      about: 'your question',
      min: 1,
      max: 4000,
      required: true,
      also: 'q',
      called: 'the question',
      hint: 'Ask what past sessions decided.',
    }),
    also,
    limit: count({ about: 'number of lines', max: 100, default: 8, alias: 'n' }),
    kinds,
    open: flag({ about: 'only open questions, problems and todos; false: only closed' }),
    literal: flag({ about: 'search for every word of the question' }),
    everywhere,
    mine,
    ...filters,
  },
  async run(open, input, caller) {
    const filter = await filterWithoutAsker(open, input, caller);
    const prefer = await preferredProject(open, input, caller);
    return answer(await opened(open), { ...input, filter, prefer });
  },
  isEmpty: ({ answers, groups }) => answers.length + groups.length === 0,
  mayLack: ({ fits }) => !fits,
});
