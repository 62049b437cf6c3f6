import { SmartForkError } from '../errors.ts';
import { checkJob, type ServiceJob } from './service-job.ts';
import { xmlText } from './xml-text.ts';

/**
 * A task for the Windows Task Scheduler (schema 1.2). Tasks have neither variables nor a log, so cmd sets the variables and redirects
 * the output; conhost hides its window.
 * @param system the folder of conhost.exe and cmd.exe
 */
export function scheduledTask(job: ServiceJob, system: string): string {
  checkJob(job);
  const user = xmlText(job.account);
  return `<?xml version="1.0"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>smart-fork: search past sessions of coding agents</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
      <UserId>${user}</UserId>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${user}</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>3</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${xmlText(`${system}\\conhost.exe`)}</Command>
      <Arguments>${xmlText(`--headless "${system}\\cmd.exe" /d /s /c "${commandLine(job)}"`)}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
}

function commandLine({ command, environment, log }: ServiceJob): string {
  const words = [...command, ...Object.values(environment), log];
  const bad = words.find((word) => /["%]/.test(word));
  if (bad !== undefined) {
    throw new SmartForkError('USAGE', `${bad} contains a quotation mark or a percent sign`, {
      hint: 'cmd.exe cannot quote it. Rename the folder, or change the variable.',
    });
  }
  const sets = Object.entries(environment).map(([name, value]) => `set "${name}=${value}"&& `);
  return `${sets.join('')}${command.map((word) => `"${word}"`).join(' ')} >> "${log}" 2>&1`;
}
