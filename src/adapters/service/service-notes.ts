import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ServiceNotes } from '../../ports/service/service-manager.ts';
import { makeFolder } from '../system/make-folder.ts';
import { readJson } from '../system/read-json.ts';
import { replaceFile } from '../system/replace-file.ts';

/** `service.json` in smart-fork's home. */
export function createServiceNotes(home: string): ServiceNotes {
  const path = join(home, 'service.json');
  return {
    // If the record is lost, the service's file counts as someone else's.
    load: () => schema.safeParse(readJson(path)).data ?? null,
    save(service) {
      if (service === null) return rmSync(path, { force: true });
      makeFolder(home);
      replaceFile(path, `${JSON.stringify(service, null, 2)}\n`);
    },
  };
}

const schema = z.object({ path: z.string(), written: z.string(), programs: z.array(z.string()) });
