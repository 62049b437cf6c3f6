import { SmartForkError } from '../../domain/errors.ts';
import { suggestTags } from '../../operations/marks/suggest-tags.ts';
import { tag } from '../../operations/marks/tag.ts';
import { perform } from '../../operations/operation.ts';
import { openHere } from '../operation/open-here.ts';
import { type CommandContext, defineCommand, type GlobalArguments, runCommand } from '../run-command.ts';

interface TagArguments extends GlobalArguments {
  id: string;
  tags?: string[];
  remove?: boolean;
  suggest?: boolean;
}

export const tagCommand = defineCommand({
  command: 'tag <id> [tags..]',
  describe: 'show, add or remove the tags of a session',
  builder: (yargs) =>
    yargs
      .positional('id', {
        type: 'string',
        demandOption: true,
        describe: 'session id or prefix',
      })
      .positional('tags', {
        type: 'string',
        array: true,
        describe: 'tags to add; without any, show the tags',
      })
      .option('remove', { type: 'boolean', alias: 'd', describe: 'remove these tags' })
      .option('suggest', { type: 'boolean', describe: 'suggest tags without adding any' })
      .conflicts('suggest', 'remove')
      .option('json', { type: 'boolean', describe: 'print {"session_id": ..., "tags": [...]}' })
      .example('$0 tag 8402b1ed auth baseline', 'add two tags')
      .example('$0 tag 8402b1ed --suggest', 'suggest tags')
      .example('$0 sessions --tag baseline', 'find the tagged sessions'),
  handler: (args) => runCommand(args, (context) => runTag(context, args)),
});

async function runTag(context: CommandContext, { id, tags = [], remove, suggest, json }: TagArguments) {
  const { terminal } = context;
  const { open, caller } = openHere(context);
  if (suggest === true) {
    if (tags.length > 0) throw new SmartForkError('USAGE', '--suggest takes no tags');
    const answer = await perform(suggestTags, open, { id }, caller);
    return terminal.out(json === true ? JSON.stringify(answer) : tagLine(answer.suggested, '(none)'));
  }
  const change = remove === true ? { remove: tags } : { add: tags };
  const answer = await perform(tag, open, { id, ...change }, caller);
  terminal.out(json === true ? JSON.stringify(answer) : tagLine(answer.tags, '(no tags)'));
}

function tagLine(tags: string[], none: string): string {
  return tags.length === 0 ? none : tags.map((one) => `#${one}`).join(' ');
}
