import { aborted } from '../../../domain/aborted.ts';
import { errorText } from '../../../domain/errors.ts';
import type { Task, TaskContext } from '../task.ts';

/** The tasks for a server. Sending runs in the background, so that other tasks need not wait for the network. */
export function serverTasks(context: TaskContext): { send: Task; awaitSent: Task } {
  const { signal: stop, request } = context;
  const { server } = context.opened;
  const isDraining = request.until === 'drain';
  let sending: Promise<void> | null = null;
  /** A session has ended, so its transcript is sent with the rest. */
  let withTranscripts = isDraining;
  return {
    send: {
      isDue: () => sending === null && !stop.aborted && server?.isDue(withTranscripts) === true,
      async run() {
        sending = send(context, withTranscripts).finally(() => {
          sending = null;
        });
        withTranscripts = isDraining;
        return false;
      },
      notice(event) {
        if (event.kind === 'indexed' && event.sessionEnded) withTranscripts = true;
      },
      stayMs: () => untilNextTranscript(context),
      // Stopping the worker aborts pending requests.
      end: async () => sending ?? undefined,
    },
    awaitSent: {
      isDue: () => sending !== null,
      async run(signal) {
        await Promise.race([sending, aborted(signal)]);
        return true;
      },
    },
  };
}

async function send({ opened, signal, log, presence }: TaskContext, transcripts: boolean): Promise<void> {
  try {
    const report = (await opened.server?.send(signal, transcripts)) ?? null;
    if (report === null) return;
    const { sent, waiting } = report;
    if (sent > 0) log.info('sent', { sessions: sent, waiting });
    for (const problem of [report.problem, report.vectorsRefused])
      if (problem !== null) presence.fail('cannot send', problem.message, { waiting });
  } catch (error) {
    presence.fail('cannot send', errorText(error));
  }
}

/** A deferred transcript is sent once its session is idle, and the worker stays until then. */
function untilNextTranscript({ opened, now, log }: TaskContext): number {
  try {
    const at = opened.server?.nextTranscriptAt() ?? null;
    return at === null ? 0 : Math.max(0, at - now());
  } catch (error) {
    // The next worker will find it.
    log.error('cannot look for transcripts to send', { reason: errorText(error) });
    return 0;
  }
}
