import { isRecord } from '../../domain/is-record.ts';
import { parseToml } from '../settings/toml-file.ts';

/**
 * Whether config.toml says that the user trusts a file's hooks, by event: `[hooks.state."<file>:stop:1:0"]` with a
 * `trusted_hash`. The numbers are the positions of the group and of the hook in it.
 */
export function hooksCodexTrusts(config: string, hooksPath: string): (event: string) => boolean {
  const { hooks } = parseToml(config, 'config.toml');
  const state = isRecord(hooks) && isRecord(hooks.state) ? hooks.state : {};
  const trusted = Object.entries(state)
    .filter(([, entry]) => isRecord(entry) && typeof entry.trusted_hash === 'string')
    .map(([key]) => key);
  return (event) => {
    const start = `${hooksPath}:${event.replace(/(?<=.)[A-Z]/g, '_$&').toLowerCase()}:`;
    return trusted.some((key) => key.startsWith(start));
  };
}
