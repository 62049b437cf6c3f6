import { operation } from '../operation.ts';

export const embed = operation({
  summary: 'embed the passages without a vector, for search by meaning; none if a server embeds',
  effect: 'sends',
  fields: {},
  run: async (open, _, { signal }) => ({ embedded: await open.embed(signal) }),
});
