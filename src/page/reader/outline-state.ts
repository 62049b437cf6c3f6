import { change, parameter } from '../route/route.ts';

/** On narrow screens, shown only on request. */
export function showsOutline(): boolean {
  const asked = parameter('outline');
  return asked === '' ? matchMedia('(min-width: 641px)').matches : asked === '1';
}

export function toggleOutline(): void {
  change({ outline: showsOutline() ? 0 : 1 });
}
