import type { Notice } from './search-result.ts';

/** Sessions whose stored data was damaged, remembered until the user is told. */
export interface Damage extends DamageNotes {
  /** Notices about damage found since the last call. */
  notices(): Notice[];
}

export interface DamageNotes {
  note(sessionId: unknown): void;
}

const MAX_NAMED = 3;
/** A server may contain any number of damaged sessions. */
const MAX_NOTED = 1000;

export function createDamage(place: string, { code, hint }: { code: string; hint: string }): Damage {
  let sessions = new Set<string>();
  return {
    note(sessionId) {
      const id = typeof sessionId === 'string' ? sessionId : 'unknown';
      if (sessions.size < MAX_NOTED) sessions.add(id.slice(0, 40));
    },
    notices() {
      if (sessions.size === 0) return [];
      const [...ids] = sessions;
      sessions = new Set();
      const more = ids.length > MAX_NAMED ? ', …' : '';
      const message = `${place}: data of ${ids.length} ${ids.length === 1 ? 'session' : 'sessions'} is damaged and was left out: ${ids.slice(0, MAX_NAMED).join(', ')}${more}`;
      return [{ code, message, hint }];
    },
  };
}
