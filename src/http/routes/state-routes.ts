import { readFilter } from '../../app/search/read-filter.ts';
import { checkInstallation } from '../../compose/reports/check-installation.ts';
import { readStats } from '../../compose/reports/read-stats.ts';
import { readStatus } from '../../compose/reports/read-status.ts';
import { processEnvironment } from '../../config/environment.ts';
import { settingsPath } from '../../config/files.ts';
import { listSettings } from '../../config/list-settings.ts';
import { doctor, settingsList, stats, status } from '../../domain/json/state.ts';
import { openStore } from '../context.ts';
import { defineRoute } from '../route.ts';
import { filterQuery } from '../schemas/inputs.ts';

export const getStats = defineRoute({
  method: 'get',
  path: '/api/v1/stats',
  summary: 'What is indexed, by repository, agent and month',
  tag: 'state',
  query: filterQuery,
  output: stats,
  async run({ query }, open) {
    await openStore(open);
    return readStats(open.parts, await readFilter(query, open.parts));
  },
});

export const getStatus = defineRoute({
  method: 'get',
  path: '/api/v1/status',
  summary: 'The worker and its queue',
  tag: 'state',
  output: status,
  run: (_, open) => readStatus(open.parts),
});

export const getDoctor = defineRoute({
  method: 'get',
  path: '/api/v1/doctor',
  summary: 'Problems with the installation, and how to fix them',
  tag: 'state',
  output: doctor,
  async run(_, { parts }) {
    return { checks: await checkInstallation({ parts, env: processEnvironment(), invalidSettings: [] }) };
  },
});

export const getSettings = defineRoute({
  method: 'get',
  path: '/api/v1/settings',
  summary: 'Every setting with its value and origin',
  tag: 'state',
  output: settingsList,
  async run(_, { parts: { config } }) {
    return { path: settingsPath(config.home), settings: listSettings(config) };
  },
});
