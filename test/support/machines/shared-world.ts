import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createWorld, type World } from './world.ts';

/** One world for all tests in a file, created before the first and deleted after the last. */
export function sharedWorld(fill: (world: World) => Promise<void> | void = () => undefined): () => World {
  let world: World | null = null;
  beforeAll(async () => {
    world = createWorld(realpathSync(mkdtempSync(join(tmpdir(), 'smart-fork-world-'))));
    await fill(world);
  });
  afterAll(() => {
    if (world !== null) rmSync(world.folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return () => {
    if (world === null) throw new Error('the world is made before the first test');
    return world;
  };
}
