import { MARKERS, type Marker } from './session.ts';

const MARKER = new RegExp(`(?:^|[\\s>*_#(\\[\`-])(${MARKERS.join('|')})(?:\\*\\*|[\`\\])])?\\s?:`, 'g');

/** The memory markers in a text: the word in capitals, then a colon. */
export function findMarkers(text: string): Marker[] {
  const found = new Set<Marker>();
  for (const match of text.matchAll(MARKER)) {
    const marker = MARKERS.find((known) => known === match[1]);
    if (marker !== undefined) found.add(marker);
  }
  return [...found].sort();
}
