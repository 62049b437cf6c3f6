import { operation } from '../operation.ts';
import { retrieve, retrieveContexts } from './retrieve.ts';

export const context = operation({
  summary: 'write the context of one or several sessions as Markdown, as background for an agent',
  effect: 'reads',
  fields: retrieve.fields,
  async run(open, input, caller) {
    const contexts = await retrieveContexts(open, input, caller);
    return { markdown: contexts.map(({ markdown }) => markdown).join('\n') };
  },
});
