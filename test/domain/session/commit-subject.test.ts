import { describe, expect, it } from 'vitest';
import { gitSteps } from '../../../src/domain/session/calls/git-steps.ts';
import { commitSubjects } from '../../../src/domain/session/commit-subject.ts';
import { addEvent, emptyDraft } from '../../../src/domain/session/draft.ts';
import { titleOfDraft } from '../../../src/domain/session/session-title.ts';
import { toolLine } from '../../../src/domain/session/tool-line.ts';

const bash = (command: string) => toolLine('Bash', command, 'text');

describe('the subject of the agent’s commit', () => {
  it.each([
    ['git commit -m "Turn the valve"', 'Turn the valve'],
    ["git add -A && git commit -qm 'Turn the valve' && git push", 'Turn the valve'],
    ['git -C /srv/x commit -am "Say \\"hi\\" first"', 'Say "hi" first'],
    ['git commit --message="Turn the valve"', 'Turn the valve'],
    ['git commit -m "$(cat <<\'EOF\'\nTurn the valve\n\nCo-Authored-By: Claude\nEOF\n)"', 'Turn the valve'],
    [
      'git commit -m "$(cat <<\'EOF\'\nFix the crash of the evaluation when debug files cannot be written\n\nWrap all writes\nEOF\n)"',
      'Fix the crash of the evaluation when debug files cannot be written',
    ],
    [
      'git commit -m "$(cat <<\'EOF\'\nAdd rows of skills and logos of each supported agent in Context tab of the report\nEOF\n)"',
      'Add rows of skills and logos of each supported agent in Context tab of the report',
    ],
    ['git -c user.name=a -c user.email=a@b commit -qm "Turn the valve"', 'Turn the valve'],
    ['git commit -qm "$MESSAGE"', ''],
    ['git commit -qm "Turn `whoami` off"', ''],
    ['git commit -qm "Say \\$HOME"', 'Say $HOME'],
    ['git commit --amend --no-edit', ''],
    ['git log -m "x"', ''],
    ['npm run commit -- -m "x"', ''],
    ['echo "git commit" && ls -m "x"', ''],
  ])('finds the commit’s subject in %s', (command, subject) => {
    expect(commitSubjects(bash(command))[0] ?? '').toBe(subject);
  });

  it.each([
    [
      'git commit -m "$(cat <<\'EOF\'\nTurn the valve of src/harbor\n\nIt was stuck.\nEOF\n)"',
      'Turn the valve of src/harbor',
    ],
    ["git commit -m 'Turn the valve\n\nIt was stuck.'", 'Turn the valve'],
    ["git commit -qF - <<'EOF'\nTurn the valve\n\nIt was stuck.\nEOF", 'Turn the valve'],
    ['git commit -q --file - <<EOF\nTurn the valve\n\nIt was stuck.\nEOF', 'Turn the valve'],
    [`git add ${'src/a.ts '.repeat(40)}&& git commit -qm "Turn the valve"`, 'Turn the valve'],
  ])('finds it in a whole command, however long: %s', (command, subject) => {
    expect(gitSteps(command)).toEqual([{ does: 'commit', subject }]);
  });

  it('titles a session by its commit subject if its prompts say nothing, even after git commit --quiet', () => {
    const draft = emptyDraft();
    const message = { kind: 'message', timestamp: null, uuid: null, inherited: false } as const;
    addEvent(draft, { ...message, role: 'user', text: 'continue' });
    const command = 'git commit -qm "Turn the valve of the harbor"';
    addEvent(draft, { ...message, role: 'tool', text: bash(command), call: 'a', git: gitSteps(command) });
    expect(titleOfDraft(draft).title_source).toBe('prompt');
    addEvent(draft, { kind: 'result', call: 'a', failed: false, error: null, inherited: false });
    addEvent(draft, { ...message, role: 'assistant', text: 'Everything is in place now, as discussed.' });
    expect(titleOfDraft(draft)).toEqual({ title: 'Turn the valve of the harbor', title_source: 'commit' });
  });
});
