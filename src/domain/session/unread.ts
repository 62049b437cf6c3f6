/** Why a line of a transcript is not read. */
export type LineReason = 'not JSON' | 'not an object' | 'no such shape' | 'unknown kind';

/** Why a file of an agent is not read. */
export type FileReason = 'unreadable' | 'copy' | 'without session' | 'old format';

export type UnreadReason = LineReason | FileReason;
