import type { Argv } from 'yargs';
import { SmartForkError } from '../../domain/errors.ts';
import { type GlobalArguments, runCommand } from '../run-command.ts';

interface TagArguments extends GlobalArguments {
  id: string;
  tags?: string[] | undefined;
  remove?: boolean | undefined;
}

const TAG = /^[\p{L}\p{N}][\p{L}\p{N}._/-]{0,49}$/u;

export const tagCommand = {
  command: 'tag <id> [tags..]',
  describe: 'see, add or remove the tags of a session',
  builder: (yargs: Argv) =>
    yargs
      .positional('id', {
        type: 'string',
        demandOption: true,
        describe: 'session id, or the beginning of one',
      })
      .positional('tags', { type: 'string', array: true, describe: 'tags to add; none shows them' })
      .option('remove', { type: 'boolean', alias: 'd', describe: 'take these tags away' })
      .option('json', { type: 'boolean', describe: 'print {"session_id": ..., "tags": [...]}' })
      .example('$0 tag 8402b1ed auth baseline', 'add two')
      .example('$0 sessions --tag baseline', 'find them again'),
  handler: (args: TagArguments) =>
    runCommand(args, async ({ parts, terminal }) => {
      const { findSession } = await import('../../app/find-session.ts');
      const store = await parts.store();
      const session = await findSession(store, args.id);
      const given = (args.tags ?? []).map((tag) => tag.replace(/^#/, '').toLowerCase());
      const wrong = given.find((tag) => !TAG.test(tag));
      if (wrong !== undefined) {
        throw new SmartForkError('USAGE', `"${wrong}" is not a tag`, {
          hint: 'Letters, digits, . _ - and /, at most 50.',
        });
      }
      const kept = session.tags.filter((tag) => !given.includes(tag));
      const tags = args.remove === true ? kept : [...kept, ...new Set(given)].sort();
      if (given.length > 0) await store.setTags(session.session_id, tags);
      if (args.json === true) return terminal.out(JSON.stringify({ session_id: session.session_id, tags }));
      terminal.out(tags.length === 0 ? '(no tags)' : tags.map((tag) => `#${tag}`).join(' '));
    }),
};
