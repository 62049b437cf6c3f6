const RUNNERS =
  /\b(?:(?:npm|pnpm|yarn|bun|deno)(?: run)? test|npx (?:vitest|jest|mocha|playwright test)|vitest|jest|pytest|tox|cargo (?:nextest|test)|go test|mvn (?:\S{1,80} ){0,20}(?:test|verify)|gradlew? (?:\S{1,80} ){0,20}test|make (?:test|check)|rspec|phpunit|dotnet test|ctest|mix test)\b/;

export function ranTests(command: string): boolean {
  return RUNNERS.test(command);
}

const FAILURES = /\b(?!0\b)\d+ (?:tests? )?(?:failed|failing|failures?|errors?)\b|^FAILED\b|^not ok\b/im;

/** Whether a test run's output says that the tests passed. */
export function testsPassed(output: string, isError: boolean): boolean {
  return !isError && !FAILURES.test(output);
}
