import * as z from 'zod';

export const sessionParams = z.object({
  id: z.string().min(4).max(200).describe('session id or unique prefix'),
});
