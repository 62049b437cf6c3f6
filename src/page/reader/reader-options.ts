import { change, parameter } from '../route/route.ts';

/** On narrow screens, shown only on request. */
export function showsOutline(): boolean {
  const asked = parameter('outline');
  return asked === '' ? matchMedia('(min-width: 641px)').matches : asked === '1';
}

/** What the model thought is shown only on request. */
export function showsThinking(): boolean {
  return parameter('thinking') === '1';
}

export function toggleThinking(): void {
  change({ thinking: showsThinking() ? null : 1 });
}

export function toggleOutline(): void {
  change({ outline: showsOutline() ? 0 : 1 });
}
