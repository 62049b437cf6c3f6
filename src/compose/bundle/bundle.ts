import { createBundleFile } from '../../adapters/bundle/bundle-file.ts';
import type { BundleDependencies } from '../../app/bundle/export-bundle.ts';
import type { ImportDependencies } from '../../app/bundle/import-bundle.ts';
import { indexedSubject } from '../../app/privacy/privacy-subject.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { Parts } from '../parts.ts';
import { forgottenHere } from '../privacy.ts';

/** Uses this machine's own index and archive, because a server's transcripts are redacted. */
export async function exportDependencies(parts: Parts, path: string): Promise<BundleDependencies> {
  const { archive, sources, machine, probe } = parts;
  const store = await parts.local();
  const subject = (session: SessionPayload) => indexedSubject(session, parts.state(), probe);
  return { archive, sources, store, subject, bundle: createBundleFile(path), now: machine.now };
}

export async function importDependencies(parts: Parts, path: string): Promise<ImportDependencies> {
  const { archive, sources, transcripts, tokenizer, redactor } = parts;
  return {
    archive,
    sources,
    transcripts,
    tokenizer,
    redactor,
    bundle: createBundleFile(path),
    store: parts.local,
    privacy: await parts.privacy(),
    forgotten: forgottenHere(await parts.sharing(), parts.state),
  };
}
