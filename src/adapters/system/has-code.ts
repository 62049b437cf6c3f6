/** Whether a system call failed with one of these codes (`ENOENT`). The hook calls this: import only Node's own modules here. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
