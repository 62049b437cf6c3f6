/** A refusal by the double, with the status and text of a real server. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function wrongInput(message: string): Refusal {
  return new Refusal(400, `Wrong input: ${message}`);
}

export function formatError(message: string): Refusal {
  return new Refusal(400, `Format error in JSON body: ${message}`);
}

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}
