import type { Reporter, TestCase, TestModule } from 'vitest/node';

/**
 * Says at the end of a run what did not just pass, by file: what was skipped (with the reason if a title ends with it in brackets),
 * what passed only at its second try, and what never ended because its process died.
 */
export default class ListExceptions implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>) {
    list('Skipped', modules.flatMap(skippedIn));
    list('Passed only when tried again', modules.flatMap(flakyIn));
    list('Not ended', modules.flatMap(unfinishedIn));
  }
}

function list(title: string, rows: string[]): void {
  if (rows.length > 0) console.log(`\n${title}:\n${rows.map((row) => `  ${row}`).join('\n')}`);
}

function skippedIn(module: TestModule): string[] {
  const counts = new Map<string, number>();
  for (const test of module.children.allTests('skipped')) {
    const reason = reasonOf(test);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => `${count} in ${module.relativeModuleId}: ${reason}`);
}

function flakyIn(module: TestModule): string[] {
  return [...module.children.allTests('passed')]
    .filter((test) => test.diagnostic()?.flaky)
    .map((test) => `${module.relativeModuleId}: ${test.fullName}`);
}

/** A file whose process died has tests without a result, or none at all. */
function unfinishedIn(module: TestModule): string[] {
  const tests = [...module.children.allTests('pending')].map((test) => test.fullName);
  if (tests.length > 0) return tests.map((test) => `${module.relativeModuleId}: ${test}`);
  return ['queued', 'pending'].includes(module.state()) ? [module.relativeModuleId] : [];
}

function reasonOf(test: TestCase): string {
  const [suite = test.name] = test.fullName.split(' > ');
  return /\(([^()]+)\)(?: >|$)/.exec(test.fullName)?.[1] ?? suite;
}
