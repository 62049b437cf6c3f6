import type { IndexState } from '../../ports/index-state.ts';
import { eachSession, type PointStore } from '../../ports/point-store.ts';
import { type FinishDependencies, finishForgetting } from './forget-sessions.ts';
import type { PrivacyRules } from './privacy-rules.ts';
import { recordedSubject } from './privacy-subject.ts';

export interface ApplyDependencies extends FinishDependencies {
  store: FinishDependencies['store'] & Pick<PointStore, 'list'>;
  state: FinishDependencies['state'] & Pick<IndexState, 'appliedRules' | 'setAppliedRules'>;
  privacy: PrivacyRules;
  machine: string;
}

/**
 * Completes an interrupted `forget`. Then removes sessions that new privacy rules exclude, judged by their records: deleted transcripts
 * cannot be read again. Lists no sessions if the rules are unchanged, and leaves other machines' sessions to those machines.
 */
export async function applyPrivacyRules(deps: ApplyDependencies): Promise<void> {
  const { store, state, archive, privacy, machine } = deps;
  await finishForgetting(deps);
  if (state.appliedRules() === privacy.name) return;
  const ids: string[] = [];
  for await (const session of eachSession(store, { machine }))
    if (!privacy.allows(recordedSubject(session))) ids.push(session.session_id);
  await store.deleteSessions(ids);
  await archive.remove(ids);
  state.forgetSessions(ids);
  state.setAppliedRules(privacy.name);
}
