import { errorText, SmartForkError } from '../../domain/errors.ts';
import { megabytes } from '../http/read-limited.ts';

/** The hub, or a server it redirected to, answered with an error. */
export class HubAnswerError extends Error {
  override name = 'HubAnswerError';
  readonly statusCode: number;

  constructor(url: string, statusCode: number) {
    super(`${url} answered with status ${statusCode}`);
    this.statusCode = statusCode;
  }
}

/** Turns a failed download into an error with a hint. */
export function describePullError(
  error: unknown,
  model: string,
  hubUrl: string,
  cacheDir: string,
): SmartForkError {
  if (error instanceof SmartForkError) return error;
  const { message, hint } = explain(error, model, hubUrl, cacheDir);
  return new SmartForkError('MODEL_UNAVAILABLE', message, { hint, cause: error });
}

/** Whether a retry may help: the connection broke or the server is overloaded. */
export function isTransient(error: unknown): boolean {
  const status = statusOf(error);
  return status === undefined ? isNetworkError(error) : status === 416 || status === 429 || status >= 500;
}

export function diskFull(model: string, cacheDir: string): SmartForkError {
  return new SmartForkError(
    'MODEL_UNAVAILABLE',
    `no space for the model ${model}: the disk of ${cacheDir} is full`,
    {
      hint: 'Free some space, or set HF_HUB_CACHE to a folder on another disk.',
    },
  );
}

export function answerTooLong(model: string, hubUrl: string, limit: number): SmartForkError {
  return new SmartForkError(
    'MODEL_UNAVAILABLE',
    `${hubUrl} sent more than ${megabytes(limit)} about the model ${model}`,
    { hint: 'Check HF_ENDPOINT: the server there does not answer as the Hugging Face hub does.' },
  );
}

/** @param bytes received in as many seconds. */
export function tooSlow(url: string, bytes: number, seconds: number): SmartForkError {
  return new SmartForkError('MODEL_UNAVAILABLE', `${url} sent only ${bytes} bytes in ${seconds} seconds`, {
    hint: 'Try again (the download resumes), or set HF_ENDPOINT to another mirror.',
  });
}

interface Explanation {
  message: string;
  hint: string;
}

function explain(error: unknown, model: string, hubUrl: string, cacheDir: string): Explanation {
  const status = statusOf(error);
  const code = errorCodes(error)[0];
  if (status === 404 || status === 401 || status === 403) {
    return {
      message: `${hubUrl} does not offer the model ${model} (status ${status})`,
      hint: 'Check the model name: owner/name as on huggingface.co, and public.',
    };
  }
  if (status !== undefined) {
    return {
      message: `${hubUrl} failed during the download of ${model} (status ${status})`,
      hint: 'Try again later; the download resumes.',
    };
  }
  if (code === 'ENOSPC' || code === 'EDQUOT') return explanationOf(diskFull(model, cacheDir));
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return {
      message: `cannot write the model ${model} to ${cacheDir}: ${errorText(error)}`,
      hint: 'Make the folder writable, or set HF_HUB_CACHE to another.',
    };
  }
  if (isNetworkError(error)) {
    return {
      message: `cannot reach ${hubUrl} for the model ${model}: ${deepestText(error)}`,
      hint: 'Check the connection and try again (the download resumes), set HF_ENDPOINT to a mirror (behind a proxy: NODE_USE_ENV_PROXY=1), or copy the model folder from another machine and set SMART_FORK_MODEL_DIR.',
    };
  }
  return { message: `cannot download the model ${model}: ${errorText(error)}`, hint: 'Try again.' };
}

function explanationOf({ message, hint }: SmartForkError): Explanation {
  return { message, hint: hint ?? '' };
}

/** Our errors and the hub library's both have the HTTP status. */
function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' ? status : undefined;
}

/** fetch wraps network errors: the cause of `fetch failed` or `terminated` says what happened. */
function isNetworkError(error: unknown): boolean {
  if (error instanceof Error && error.name === 'TimeoutError') return true;
  if (error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message)) return true;
  return errorCodes(error).some((code) =>
    /^(ECONN|ENOTFOUND|EAI_AGAIN|ENET|EHOST|EPIPE|ETIMEDOUT|UND_ERR_)/.test(code),
  );
}

function errorCodes(error: unknown): string[] {
  return causes(error).flatMap((cause) =>
    'code' in cause && typeof cause.code === 'string' ? [cause.code] : [],
  );
}

function deepestText(error: unknown): string {
  const last = causes(error).at(-1);
  return last === undefined ? errorText(error) : last.message || errorCodes(error).join(' ') || last.name;
}

function causes(error: unknown): Error[] {
  const found: Error[] = [];
  for (let cause = error; cause instanceof Error && found.length < 5; cause = cause.cause) found.push(cause);
  return found;
}
