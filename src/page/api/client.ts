import { signal } from '@preact/signals';

/** An error from the server (RFC 9457), or no answer at all (status 0). */
export class ApiProblem extends Error {
  readonly status: number;
  readonly hint: string | undefined;
  constructor(status: number, message: string, hint?: string) {
    super(message);
    this.status = status;
    this.hint = hint;
  }
}

/** True once the server has rejected this browser. */
export const signedOut = signal(false);

type Values = Record<string, string | number | boolean | undefined>;

export function get<T>(path: string, values: Values = {}, abort?: AbortSignal): Promise<T> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && value !== '' && value !== false) query.set(name, String(value));
  const text = query.toString();
  return ask<T>(text === '' ? path : `${path}?${text}`, abort === undefined ? {} : { signal: abort });
}

export function send<T>(method: 'POST' | 'PUT', path: string, body: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  return ask<T>(path, { method, headers, body: JSON.stringify(body) });
}

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(path, { credentials: 'same-origin', ...init }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiProblem(0, 'smart-fork does not answer', 'Start it again: smart-fork serve');
  });
  if (response.status === 401) signedOut.value = true;
  if (!response.ok) throw await problemOf(response);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const body: unknown = await response.json().catch(() => null);
  const field = (name: string) => {
    const value = body !== null && typeof body === 'object' ? Reflect.get(body, name) : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  const message = field('detail') ?? field('title') ?? `the server answered ${response.status}`;
  return new ApiProblem(response.status, message, field('hint'));
}
