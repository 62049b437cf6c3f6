import { computed, signal } from '@preact/signals';

/** The current URL. It contains all of the page's state, so that a reload, a bookmark and Back restore it. */
const address = signal(location.pathname + location.search);
addEventListener('popstate', () => {
  address.value = location.pathname + location.search;
});

export const path = computed(() => address.value.split('?')[0] ?? '/');
export const parameters = computed(() => new URLSearchParams(address.value.split('?')[1] ?? ''));

export function go(target: string, { replace = false } = {}): void {
  if (target === address.value) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', target);
  address.value = target;
}

export type Changes = Record<string, string | number | null | undefined>;

/** The current URL with some parameters changed; null and '' remove a parameter. */
export function addressWith(changes: Changes): string {
  return buildAddress(path.value, { ...Object.fromEntries(parameters.value), ...changes });
}

export function buildAddress(base: string, values: Changes): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    if (value !== null && value !== undefined && value !== '') query.set(name, String(value));
  const text = query.toString();
  return text === '' ? base : `${base}?${text}`;
}

export function change(changes: Changes): void {
  go(addressWith(changes), { replace: true });
}

export function parameter(name: string): string {
  return parameters.value.get(name) ?? '';
}

/** A positive integer, or null. */
export function numberParameter(name: string): number | null {
  const text = parameter(name);
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : null;
}

/** Not /sessions/ID, at which the server answers JSON. */
export function sessionAddress(id: string, values: Changes = {}, view = ''): string {
  return buildAddress(`/session/${encodeURIComponent(id)}${view === '' ? '' : `/${view}`}`, values);
}
