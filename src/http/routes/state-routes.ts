import {
  doctor as doctorShape,
  endedLogins,
  loginList,
  settingsList,
  stats as statsShape,
  status as statusShape,
  usageReport,
} from '../../domain/json/state.ts';
import { doctor } from '../../operations/state/doctor.ts';
import { logins, logout } from '../../operations/state/logins.ts';
import { settings } from '../../operations/state/settings.ts';
import { stats } from '../../operations/state/stats.ts';
import { status } from '../../operations/state/status.ts';
import { usage } from '../../operations/state/usage.ts';
import { operationRoute } from '../operation-route.ts';

const stating = { method: 'get', tag: 'state' } as const;

export const getStats = operationRoute({
  ...stating,
  operation: stats,
  path: '/api/v1/stats',
  output: statsShape,
});

/** Listed in the requirements document. */
export const getNamedStats = operationRoute({
  operation: stats,
  method: 'get',
  path: '/stats',
  summary: 'As /api/v1/stats',
  tag: 'requirements',
  output: statsShape,
});

export const getUsage = operationRoute({
  ...stating,
  operation: usage,
  path: '/api/v1/usage',
  output: usageReport,
});

export const getStatus = operationRoute({
  ...stating,
  operation: status,
  path: '/api/v1/status',
  output: statusShape,
});

/** Where programs that watch a server look. */
export const getHealth = operationRoute({
  ...stating,
  operation: status,
  path: '/api/v1/health',
  summary: 'As /api/v1/status',
  output: statusShape,
});

export const getDoctor = operationRoute({
  ...stating,
  operation: doctor,
  path: '/api/v1/doctor',
  output: doctorShape,
});

export const getSettings = operationRoute({
  ...stating,
  operation: settings,
  path: '/api/v1/settings',
  output: settingsList,
});

export const getLogins = operationRoute({
  ...stating,
  operation: logins,
  path: '/api/v1/logins',
  output: loginList,
});

export const postLogout = operationRoute({
  operation: logout,
  method: 'post',
  path: '/api/v1/logout',
  tag: 'state',
  output: endedLogins,
});
