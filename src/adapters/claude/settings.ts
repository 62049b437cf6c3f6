import { getNodeValue } from 'jsonc-parser';
import { isRecord } from '../../domain/is-record.ts';
import { SERVER_NAME, type ServerEntry } from '../../domain/machine/agent-hooks.ts';
import type { SettingsEditor } from '../../ports/agent-settings.ts';
import { bodyOf, parseSettingsJson, propertyOf } from '../settings/json-file.ts';
import { createServerJsonEditor } from '../settings/server-json.ts';

/** `mcpServers` in the file that `claude mcp add -s user` writes. */
export function createClaudeServerEditor(path: string, wanted: ServerEntry): SettingsEditor {
  return createServerJsonEditor('claude', path, wanted, { more: { type: 'stdio' } });
}

/** Whether settings.json enables the plugin, which includes the hooks and the server. */
export function hasClaudePlugin(text: string, path: string): boolean {
  const plugins = propertyOf(parseSettingsJson(bodyOf(text), path), 'enabledPlugins', path);
  const value: unknown = plugins === undefined ? {} : getNodeValue(plugins);
  return (
    isRecord(value) &&
    Object.entries(value).some(([name, enabled]) => name.startsWith(`${SERVER_NAME}@`) && enabled === true)
  );
}

/** The user's number of days after which Claude Code deletes transcripts; null if not set. */
export function cleanupPeriodDays(text: string, path: string): number | null {
  const node = propertyOf(parseSettingsJson(bodyOf(text), path), 'cleanupPeriodDays', path);
  const days: unknown = node === undefined ? undefined : getNodeValue(node);
  return typeof days === 'number' ? days : null;
}
