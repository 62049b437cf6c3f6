import * as module from 'node:module';

/** Keeps compiled code between runs where Node can (22.1 and later): half of a short command's time is compiling. */
export function enableCompileCache(): void {
  if ('enableCompileCache' in module) module.enableCompileCache();
}
