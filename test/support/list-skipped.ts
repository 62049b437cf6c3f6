import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Says at the end of a run what was skipped, by file: with the reason if a title ends with it in brackets. */
export default class ListSkipped implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>) {
    const rows = modules.flatMap(skippedIn);
    if (rows.length > 0) console.log(`\nSkipped:\n${rows.map((row) => `  ${row}`).join('\n')}`);
  }
}

function skippedIn(module: TestModule): string[] {
  const counts = new Map<string, number>();
  for (const test of module.children.allTests('skipped')) {
    const reason = reasonOf(test);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => `${count} in ${module.relativeModuleId}: ${reason}`);
}

function reasonOf(test: TestCase): string {
  const [suite = test.name] = test.fullName.split(' > ');
  return /\(([^()]+)\)(?: >|$)/.exec(test.fullName)?.[1] ?? suite;
}
