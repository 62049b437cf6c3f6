import { SmartForkError } from '../../domain/errors.ts';

const SHORTEST = 8;

/** A passphrase. @throws SmartForkError USAGE if it is too short */
export function longEnough(passphrase: string): string {
  if ([...passphrase].length >= SHORTEST) return passphrase;
  throw new SmartForkError('USAGE', `a passphrase needs at least ${SHORTEST} characters`, {
    hint: 'Use several unrelated words.',
  });
}
