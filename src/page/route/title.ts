import { useEffect } from 'preact/hooks';

/** The title of the browser's tab; empty for the program's name alone. */
export function useTitle(text: string): void {
  useEffect(() => {
    document.title = text === '' ? 'smart-fork' : `${text} · smart-fork`;
  }, [text]);
}
