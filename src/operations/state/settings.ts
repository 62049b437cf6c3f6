import type * as z from 'zod';
import type { settingsList } from '../../domain/json/state.ts';
import { operation } from '../operation.ts';

export type SettingsReport = z.input<typeof settingsList>;

export const settings = operation({
  name: 'settings',
  summary: 'list every setting with its value and origin',
  effect: 'reads',
  fields: {},
  run: async (open) => open.reports.settings(),
});
