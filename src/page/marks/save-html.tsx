import { useState } from 'preact/hooks';
import { type ApiProblem, get } from '../api/client.ts';
import { announce } from '../parts/announce.tsx';

/** Saves the session as one HTML document, to read without smart-fork or to send to somebody. */
export function SaveHtml({ id }: { id: string }) {
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const path = `/api/v1/sessions/${encodeURIComponent(id)}/html`;
      const { file, html } = await get<{ file: string; html: string }>(path);
      const address = URL.createObjectURL(new Blob([html], { type: 'text/html' }));
      Object.assign(document.createElement('a'), { href: address, download: file }).click();
      // The browser reads it after the click.
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
      announce(`Saved as ${file}.`);
    } catch (error) {
      announce((error as ApiProblem).message);
    }
    setBusy(false);
  };
  return (
    <button type="button" class="quiet" disabled={isBusy} onClick={save}>
      {isBusy ? 'Saving …' : 'Save as HTML'}
    </button>
  );
}
