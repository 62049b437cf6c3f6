import type { SessionPayload } from '../domain/point.ts';

/** What is known of a session before anything of it is stored. */
export interface PrivacySubject {
  /** Of the transcript. */
  path: string;
  workingDirectory: string | null;
  repoKey: string | null;
  repoName: string | null;
  branch: string | null;
}

export function subjectOf(session: SessionPayload): PrivacySubject {
  const { jsonl_path: path, working_directory, repo_key, repo_name, branch } = session;
  return { path, workingDirectory: working_directory, repoKey: repo_key, repoName: repo_name, branch };
}
