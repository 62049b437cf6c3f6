import { describe, expect, it } from 'vitest';
import { gitOutput } from '../../../src/domain/session/calls/git-output.ts';
import { gitSteps } from '../../../src/domain/session/calls/git-steps.ts';
import {
  addEvent,
  addOfSubagent,
  emptyDraft,
  outcomeOf,
  type SessionDraft,
} from '../../../src/domain/session/draft.ts';
import { deliveredBy } from '../../../src/domain/session/draft-commits.ts';
import type { TranscriptEvent } from '../../../src/domain/session/transcript-event.ts';

const COMMIT = 'Bash: rtk git add . && rtk git commit -m "Close the valve"';

function call(text: string, id: string, inherited = false): TranscriptEvent {
  const git = gitSteps(text.replace(/^Bash: /, ''), true, '/srv/valves');
  return { kind: 'message', role: 'tool', text, call: id, git, timestamp: null, uuid: null, inherited };
}

function result(
  id: string,
  failed: boolean,
  inherited = false,
  error: string | null = null,
): TranscriptEvent {
  return { kind: 'result', call: id, failed, error, inherited };
}

function draftAfter(...events: TranscriptEvent[]): SessionDraft {
  let draft = emptyDraft();
  for (const event of events) {
    // As stored between two reads.
    draft = JSON.parse(JSON.stringify(draft));
    addEvent(draft, event);
  }
  return draft;
}

function outcomeAfter(...events: TranscriptEvent[]) {
  return outcomeOf(draftAfter(...events));
}

let calls = 0;

/** A call of git that passed, and the commits that it reported as `hash subject`. */
function git(command: string, ...reported: string[]): TranscriptEvent[] {
  calls += 1;
  const id = `git${calls}`;
  const commits = reported.map((line): TranscriptEvent => {
    const [hash = '', ...subject] = line.split(' ');
    return { kind: 'commit', commit: { hash, subject: subject.join(' ') }, call: id, inherited: false };
  });
  return [call(`Bash: ${command}`, id), ...commits, result(id, false)];
}

/** A command that passed, and what it printed. */
function printing(command: string, output: string): TranscriptEvent[] {
  calls += 1;
  const id = `git${calls}`;
  const ended: TranscriptEvent = { kind: 'result', call: id, failed: false, error: null, inherited: false };
  return [call(`Bash: ${command}`, id), { ...ended, ...gitOutput(output) }];
}

function commitsAfter(...events: TranscriptEvent[][]): string[] {
  return draftAfter(...events.flat()).commits.map(({ hash, subject }) => `${hash} ${subject}`.trim());
}

const EDIT: TranscriptEvent = { kind: 'file', path: 'valve.ts', inherited: false };

describe('the outcome of a session', () => {
  it('sets the outcome to committed after a successful git commit, even if a wrapper of git printed no report', () => {
    expect(outcomeAfter(EDIT, call(COMMIT, 'a'), result('a', false))).toBe('committed');
    const others = Array.from({ length: 20 }, (_, at) => call('Bash: ls', `ls${at}`));
    expect(outcomeAfter(EDIT, call(COMMIT, 'a'), ...others, result('a', false))).toBe('committed');
  });

  it('is edited if the wrapper passed, but printed that the commit failed', () => {
    const refused = result('a', false, false, 'FAILED: git commit');
    expect(outcomeAfter(EDIT, call(COMMIT, 'a'), refused)).toBe('edited');
    expect(outcomeAfter(EDIT, call(COMMIT, 'a'), refused, call(COMMIT, 'b'), result('b', false))).toBe(
      'committed',
    );
  });

  it('is edited if the commit failed, has no result, or was made by the parent of a fork', () => {
    expect(outcomeAfter(EDIT, call(COMMIT, 'a'), result('a', true))).toBe('edited');
    expect(outcomeAfter(EDIT, call(COMMIT, 'a'))).toBe('edited');
    expect(outcomeAfter(EDIT, call(COMMIT, 'a', true), result('a', false, true))).toBe('edited');
    expect(outcomeAfter(EDIT, call('Bash: git log', 'a'), result('a', false))).toBe('edited');
  });

  it('is edited if a file was changed after the last commit', () => {
    expect(outcomeAfter(EDIT, ...git('git commit -m x', '1111111 x'), EDIT)).toBe('edited');
    expect(
      outcomeAfter(EDIT, ...git('git commit -m x', '1111111 x'), EDIT, ...git('git commit -qam y')),
    ).toBe('committed');
    expect(
      outcomeAfter(EDIT, ...git('git commit -m x', '1111111 x'), EDIT, ...git('git commit --amend -q')),
    ).toBe('committed');
  });

  it.each(['/tmp/pr-body.md', '/private/tmp/notes.md', '/home/dev/.claude/plans/valve.md'])(
    'does not count %s, which nobody commits',
    (path) => {
      const note: TranscriptEvent = { kind: 'file', path, inherited: false };
      expect(outcomeAfter(EDIT, ...git('git commit -m x', '1111111 x'), note)).toBe('committed');
    },
  );

  it('takes edits of subagents to be part of the session’s commit, because their order is not known', () => {
    const draft = draftAfter(EDIT, ...git('git commit -m x', '1111111 x'));
    addOfSubagent(draft, EDIT);
    expect(outcomeOf(draft)).toBe('committed');
    const uncommitted = emptyDraft();
    addOfSubagent(uncommitted, EDIT);
    expect(outcomeOf(uncommitted)).toBe('edited');
  });

  it('is edited if the only commit was undone', () => {
    expect(
      outcomeAfter(EDIT, ...git('git commit -m x', '1111111 x'), ...git('git reset --soft HEAD~1')),
    ).toBe('edited');
    expect(outcomeAfter(...git('git commit --allow-empty -m x'), ...git('git reset --soft HEAD~1'))).toBe(
      'empty',
    );
  });
});

it('counts a patch of several files as one call', () => {
  const calls = [
    call('Edit a.ts', 'p'),
    call('Edit b.ts', 'p'),
    call('Edit c.ts', 'q'),
    call('Edit d.ts', ''),
  ];
  expect(draftAfter(...calls, call('Edit e.ts', '')).toolCalls).toBe(4);
});

describe('the commits of a session', () => {
  const two = [git('git commit -m one', '1111111 one'), git('git commit -m two', '2222222 two')];

  it.each([
    ['git reset --hard HEAD~1', ['1111111 one']],
    ['git reset --soft HEAD^^ && git status', []],
    ['git reset --hard HEAD~1 2>&1', ['1111111 one']],
    ['git reset --hard HEAD~1 &> /dev/null', ['1111111 one']],
    ['git -C ../widgets reset -q @~2', ['1111111 one', '2222222 two']],
    ['cd /srv/widgets && git reset --hard HEAD~1', ['1111111 one', '2222222 two']],
    ['cd src && git reset -q @~2', []],
    ['git reset --mixed 1111111', ['1111111 one']],
    ['git reset --hard 1111111~1', []],
    ['git reset HEAD src/a.ts src/b.ts', ['1111111 one', '2222222 two']],
    ['git reset', ['1111111 one', '2222222 two']],
    ['git reset --hard HEAD', ['1111111 one', '2222222 two']],
    ['git reset --hard origin/main', ['1111111 one', '2222222 two']],
    ['echo "git reset --hard HEAD~1"', ['1111111 one', '2222222 two']],
    ["cat <<'EOF' > notes.md\ngit reset --hard HEAD~1\nEOF", ['1111111 one', '2222222 two']],
  ])('are those that %s leaves', (command, left) => {
    expect(commitsAfter(...two, git(command))).toEqual(left);
  });

  it.each(['cd ../widgets && git rebase main', 'git reset valve.ts', 'git reset valve'])(
    'do not replace one another by their subject after %s',
    (command) => {
      const wip = git('git commit -m wip', '1111111 wip');
      expect(commitsAfter(wip, git(command), git('git commit -m wip', '2222222 wip'))).toEqual([
        '1111111 wip',
        '2222222 wip',
      ]);
    },
  );

  it('have the subjects of two messages in one command', () => {
    expect(commitsAfter(git('git commit -qm "Turn one" && git commit -qm "Turn two"'))).toEqual([
      'Turn one',
      'Turn two',
    ]);
  });

  it.each([
    'cat <<<hello; git commit -qm "Turn"',
    'cat <<< "$valve"\ngit commit -qm "Turn"',
    "# don't lose it\ngit commit -qm 'Turn'",
    "ls #don't\ngit commit -qm 'Turn'",
    'npm test 2>&1 && git commit -qm "Turn" 2>&1 | tail',
  ])('are read from %s', (command) => {
    expect(commitsAfter(git(command))).toEqual(['Turn']);
  });

  it('are not undone by a reset that failed', () => {
    const failed = [call('Bash: git reset --hard HEAD~1', 'r'), result('r', true)];
    expect(commitsAfter(...two, failed)).toHaveLength(2);
  });

  it('do not include one that was reverted', () => {
    expect(commitsAfter(...two, git('git revert --no-edit 2222222', '3333333 Revert "two"'))).toEqual([
      '1111111 one',
      '3333333 Revert "two"',
    ]);
  });

  it('include an amended one with its last hash and subject', () => {
    expect(commitsAfter(...two, git('git add -A && git commit --amend --no-edit', '3333333 two'))).toEqual([
      '1111111 one',
      '3333333 two',
    ]);
    expect(
      commitsAfter(...two, git('git commit --amend -m "Two, in words"', '3333333 Two, in words')),
    ).toEqual(['1111111 one', '3333333 Two, in words']);
  });

  it('keep the earlier hashes of one that was amended and rebased', () => {
    const { commits } = draftAfter(
      ...two.flat(),
      ...git('git commit --amend --no-edit', '3333333 two'),
      ...git('git rebase --continue', '4444444 two'),
    );
    expect(commits).toEqual([
      { hash: '1111111', subject: 'one' },
      { hash: '4444444', subject: 'two', earlier: ['2222222', '3333333'] },
    ]);
    expect(
      outcomeAfter(
        EDIT,
        ...git('git rebase main --exec "git commit --amend --no-edit"', '5555555 of others'),
      ),
    ).toBe('committed');
  });

  it('include those that a rebase made, with their last hash', () => {
    const rebase = git(
      'GIT_EDITOR=true git rebase --continue',
      '3333333 of others',
      '4444444 one',
      '5555555 two',
    );
    expect(commitsAfter(...two, rebase)).toEqual(['4444444 one', '5555555 two', '3333333 of others']);
    expect(deliveredBy(draftAfter(...two.flat(), ...rebase)).map(({ subject }) => subject)).toEqual([
      'one',
      'two',
    ]);
    const pulls = git('git commit -m three && git pull --rebase && git push', '7777777 three');
    expect(deliveredBy(draftAfter(...pulls))).toEqual([{ hash: '7777777', subject: 'three' }]);
    const resets = git('git reset --soft origin/main && git commit -m two', '6666666 two');
    expect(commitsAfter(...two, resets)).toEqual(['1111111 one', '6666666 two']);
  });

  it('include two changes with the same subject', () => {
    expect(
      commitsAfter(git('git commit -m wip', '1111111 wip'), git('git commit -m wip', '2222222 wip')),
    ).toEqual(['1111111 wip', '2222222 wip']);
  });

  it.each([
    ['git log --oneline -2', '3333333 (HEAD -> main, tag: v1) Turn the valve\n1111111 one\n'],
    ['rtk git log --oneline', '3333333 Turn the valve\n'],
    [
      'git show --stat',
      `commit 3333333${'0'.repeat(33)} (HEAD)\nAuthor: A <a@b>\nDate: now\n\n    Turn the valve\n\n    It`,
    ],
    ['git reflog -1', '[main 3333333] Turn the valve\n'],
  ])('have the hash that %s prints later', (command, output) => {
    const quiet = git('git commit -qm "Turn the valve"');
    expect(commitsAfter(two[0] ?? [], quiet, printing(command, output))[1]).toMatch(
      /^3333333\w* Turn the valve$/,
    );
    expect(commitsAfter(quiet, printing(command, output.replaceAll('Turn', 'Shut')))).toEqual([
      'Turn the valve',
    ]);
  });

  it('have the hash that the same command prints, and that of a subject which a wrapper cut', () => {
    const command = 'git commit -qm "Turn the valve" && git log --oneline -1';
    expect(commitsAfter(printing(command, '3333333 Turn the valve'))).toEqual(['3333333 Turn the valve']);
    const long = 'Turn the valve of the harbor back to where it was';
    expect(
      commitsAfter(
        git(`rtk git commit -m "${long}"`),
        printing('rtk git log', '3333333 Turn the valve of the harbor back to...'),
      ),
    ).toEqual([`3333333 ${long}`]);
  });

  it('have a hash each if their subjects are alike', () => {
    const wip = git('git commit -qm "Turn it"');
    expect(commitsAfter(wip, wip, printing('git log --oneline', '2222222 Turn it\n1111111 Turn it'))).toEqual(
      ['1111111 Turn it', '2222222 Turn it'],
    );
  });

  it('include one that was amended without a report, with its subject and no longer with its hash', () => {
    const { commits } = draftAfter(...two.flat(), ...git('git commit --amend -q --no-edit'));
    expect(commits).toEqual([
      { hash: '1111111', subject: 'one' },
      { hash: '', subject: 'two', earlier: ['2222222'] },
    ]);
    const named = git('git commit --amend -qm "Two, in words"');
    expect(commitsAfter(...two, named)).toEqual(['1111111 one', 'Two, in words']);
  });

  it.each([
    ['git add -A && git commit -m "Turn" 2>&1 | tail -3', 'nothing to commit, working tree clean\n', []],
    ['rtk git commit -m "Turn"', 'ok (nothing to commit)', []],
    ['git commit -m "Turn" | cat', 'no changes added to commit (use "git add" and/or "git commit -a")', []],
    [
      'git commit -qm "Turn" && git status',
      'On branch main\nnothing to commit, working tree clean',
      ['Turn'],
    ],
    ['git commit -qm "Turn"', '', ['Turn']],
    ['d=$(mktemp -d); (cd "$d" && git init -q && git commit -qm "Try")', '', []],
  ])('are those that %s made, which printed "%s"', (command, output, made) => {
    expect(commitsAfter(printing(command, output))).toEqual(made);
  });

  it('are read from a command that continued in the background', () => {
    const waits: TranscriptEvent[] = [
      call('Bash: git commit --amend --no-edit', 'a'),
      { kind: 'process', call: 'a', process: '7' },
      { kind: 'process', call: 'b', process: '7' },
      { kind: 'commit', commit: { hash: '3333333', subject: 'two' }, call: 'b', inherited: false },
      result('b', false),
    ];
    expect(commitsAfter(...two, waits)).toEqual(['1111111 one', '3333333 two']);
  });
});

describe('the branch of a session', () => {
  const on = (branch: string): TranscriptEvent => ({ kind: 'context', branch });
  const branchAfter = (...events: TranscriptEvent[]) => draftAfter(on('main'), ...events).branch;

  it.each([
    ['git switch -c fix/valve', 'fix/valve'],
    ['git fetch && git checkout -b fix/valve origin/main', 'fix/valve'],
    ['git checkout -q -b fix/valve 2>&1', 'fix/valve'],
    ['git checkout origin/main -b fix/valve', 'fix/valve'],
    ['cd /srv/valves/ && git switch -c fix/valve', 'fix/valve'],
    ['cd /srv/valves/other && git switch -c fix/valve', 'main'],
    ['git checkout fix/valve', 'main'],
    ['git checkout -q master', 'master'],
    ['git checkout master 2>/dev/null', 'master'],
    ['git checkout master', 'main'],
    ['git checkout -q src', 'main'],
    ['git checkout -q HEAD~1', 'main'],
    ['git switch -q dev', 'dev'],
    ['git checkout -q trunk || git checkout -q master', 'main'],
    ['git checkout Makefile', 'main'],
    ['git checkout src', 'main'],
    ['git checkout origin/main', 'main'],
    ['git checkout -b "$BRANCH"', 'main'],
    ['git checkout -b fix-$(date +%s)', 'main'],
    ['git checkout -b `whoami`', 'main'],
    ['git switch dev || git switch develop', 'main'],
    ['git checkout -- fix', 'main'],
    ['git checkout valve.ts', 'main'],
    ['git checkout 1111111', 'main'],
    ['git switch --detach v1', 'main'],
    ['git -C ../other switch -c fix/valve', 'main'],
    ['cd ../other && git switch -c fix/valve', 'main'],
    ['git worktree add -b fix/valve ../valve', 'main'],
  ])('after %s is %s', (command, branch) => {
    expect(branchAfter(...git(command))).toBe(branch);
  });

  it.each([
    ['git checkout -q fix/valve 2>&1', "Switched to branch 'fix/valve'", 'fix/valve'],
    ['git checkout main || git checkout master', "Already on 'main'", 'main'],
    ['git checkout -b "$BRANCH"', "Switched to a new branch 'fix/valve'\n", 'fix/valve'],
    ['git checkout -', "\\nSwitched to branch 'fix/valve'\\nOK", 'fix/valve'],
    ['git checkout main && npm test', "Already on 'main'\nSwitched to branch 'tmp1'", 'main'],
    ['git switch dev && git -C ../other switch x', "Switched to branch 'x'", 'main'],
    ['npm test', "Switched to branch 'tmp1'", 'main'],
  ])('after %s, of which git says %s, is %s', (command, said, branch) => {
    expect(branchAfter(...printing(command, said))).toBe(branch);
  });

  it('is one that the session was on before, after a quiet checkout of it', () => {
    const switched = git('git checkout -q -b fix/valve');
    expect(branchAfter(...switched, ...git('git checkout -q main'))).toBe('main');
    expect(
      branchAfter(...switched, ...git('git checkout -q master'), ...git('git checkout --quiet fix/valve')),
    ).toBe('fix/valve');
    expect(branchAfter(...switched, call('Bash: git checkout -q main', 'q'), result('q', true))).toBe(
      'fix/valve',
    );
  });

  it('is the one before if switching failed, and the agent’s own record wins', () => {
    expect(branchAfter(call('Bash: git switch dev', 's'), result('s', true))).toBe('main');
    expect(branchAfter(...git('git switch dev'), on('other'))).toBe('other');
  });
});
