import { change, parameter } from '../route/route.ts';

/** On a narrow screen only when it is asked for. */
export function showsOutline(): boolean {
  const asked = parameter('outline');
  return asked === '' ? matchMedia('(min-width: 641px)').matches : asked === '1';
}

export function toggleOutline(): void {
  change({ outline: showsOutline() ? 0 : 1 });
}
