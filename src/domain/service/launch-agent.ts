import { checkJob, type ServiceJob } from './service-job.ts';
import { xmlText } from './xml-text.ts';

/** The agent's name in launchd. */
export const AGENT_LABEL = 'smart-fork.serve';

/** A property list for launchd (launchd.plist(5)). */
export function launchAgent(job: ServiceJob): string {
  checkJob(job);
  const { command, environment, log } = job;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    ...entry('Label', text(AGENT_LABEL)),
    ...entry('ProgramArguments', ['<array>', ...command.flatMap(text).map(indented), '</array>']),
    ...entry('EnvironmentVariables', [
      '<dict>',
      ...Object.entries(environment).flatMap(([name, value]) => entry(name, text(value))),
      '</dict>',
    ]),
    ...entry('RunAtLoad', ['<true/>']),
    ...entry('KeepAlive', ['<dict>', ...entry('SuccessfulExit', ['<false/>']), '</dict>']),
    ...entry('ThrottleInterval', ['<integer>10</integer>']),
    ...entry('ProcessType', text('Background')),
    ...entry('StandardOutPath', text(log)),
    ...entry('StandardErrorPath', text(log)),
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}

function entry(key: string, value: string[]): string[] {
  return [`<key>${xmlText(key)}</key>`, ...value].map(indented);
}

function text(value: string): string[] {
  return [`<string>${xmlText(value)}</string>`];
}

function indented(line: string): string {
  return `  ${line}`;
}
