import type { Argv } from 'yargs';
import { SmartForkError } from '../../domain/errors.ts';
import { type CommandContext, type GlobalArguments, runCommand } from '../run-command.ts';

interface TagArguments extends GlobalArguments {
  id: string;
  tags?: string[];
  remove?: boolean;
  suggest?: boolean;
}

export const tagCommand = {
  command: 'tag <id> [tags..]',
  describe: 'show, add or remove the tags of a session',
  builder: (yargs: Argv) =>
    yargs
      .positional('id', {
        type: 'string',
        demandOption: true,
        describe: 'session id or prefix',
      })
      .positional('tags', {
        type: 'string',
        describe: 'tags to add; without any, show the tags',
      })
      .option('remove', { type: 'boolean', alias: 'd', describe: 'remove these tags' })
      .option('suggest', { type: 'boolean', describe: 'suggest tags without adding any' })
      .conflicts('suggest', 'remove')
      .option('json', { type: 'boolean', describe: 'print {"session_id": ..., "tags": [...]}' })
      .example('$0 tag 8402b1ed auth baseline', 'add two tags')
      .example('$0 tag 8402b1ed --suggest', 'suggest tags')
      .example('$0 sessions --tag baseline', 'find the tagged sessions'),
  handler: (args: TagArguments) =>
    runCommand(args, async (context) => {
      const { parts, terminal } = context;
      if (args.suggest === true) return suggest(context, args);
      const { tagSession } = await import('../../app/sessions/tag-session.ts');
      const given = args.tags ?? [];
      const change = args.remove === true ? { remove: given } : { add: given };
      const tagged = await tagSession(await parts.store(), args.id, change);
      if (given.length > 0) await (await import('../share/run-sending.ts')).sendSoon(context);
      if (args.json === true) return terminal.out(JSON.stringify(tagged));
      terminal.out(tagged.tags.length === 0 ? '(no tags)' : tagged.tags.map((tag) => `#${tag}`).join(' '));
    }),
};

async function suggest({ parts, terminal }: CommandContext, { id, tags, json }: TagArguments): Promise<void> {
  if (tags !== undefined && tags.length > 0) throw new SmartForkError('USAGE', '--suggest takes no tags');
  const { findSession } = await import('../../app/sessions/find-session.ts');
  const { suggestTags } = await import('../../app/tags/suggest-tags.ts');
  const store = await parts.store();
  const session = await findSession(store, id);
  const suggested = await suggestTags(store, session);
  if (json === true) return terminal.out(JSON.stringify({ session_id: session.session_id, suggested }));
  terminal.out(suggested.length === 0 ? '(none)' : suggested.map((tag) => `#${tag}`).join(' '));
}
