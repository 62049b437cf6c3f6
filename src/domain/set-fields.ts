/** The fields that have a value. A filter that is merged over another must not undo its fields with `undefined`. */
export function setFields<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
