import type { Field, Fields } from './fields.ts';

/** How a door says the fields of an operation. A door may narrow them, not add to them. */
export interface Wording<F extends Fields> {
  /** Fields that the door does not offer. */
  without?: (keyof F & string)[];
  /** Fields that are called otherwise. */
  names?: Partial<Record<keyof F, string>>;
  /** The door's own words for a field. */
  about?: Partial<Record<keyof F, string>>;
  narrow?: Partial<Record<keyof F, Narrower>>;
  defaults?: Partial<Record<keyof F, unknown>>;
}

interface Narrower {
  min?: number;
  max?: number;
  required?: true;
}

/** A field as a door offers it. */
export interface OfferedField {
  /** Its name in the operation. */
  own: string;
  /** Its name at the door. */
  name: string;
  field: Field;
  standard: unknown;
  /** The door's own words, if it has some. */
  about?: string;
}

/** @param otherwise what the door calls a field that its row does not name */
export function offeredFields<F extends Fields>(
  fields: F,
  { without, names, about, narrow, defaults }: Wording<F>,
  otherwise: (field: string) => string = (field) => field,
): OfferedField[] {
  return Object.entries(fields)
    .filter(([own]) => without?.includes(own) !== true)
    .map(([own, field]) => ({
      own,
      name: names?.[own] ?? otherwise(own),
      field: { ...field, ...narrow?.[own] } as Field,
      standard: defaults?.[own] ?? ('default' in field ? field.default : undefined),
      about: about?.[own],
    }));
}
