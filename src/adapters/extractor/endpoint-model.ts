import * as z from 'zod';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { LanguageModel, ModelRequest } from '../../ports/extractor/language-model.ts';
import { readLimited } from '../http/read-limited.ts';
import { withDeadline } from '../http/with-deadline.ts';
import { parseJson } from '../jsonl/read-value.ts';

interface EndpointOptions {
  /** For example http://127.0.0.1:11434/v1. */
  url: string;
  model: string;
  apiKey: string | null;
  timeoutMs?: number;
}

const TIMEOUT_MS = 120_000;
const MAX_BYTES = 1024 * 1024;
const MAX_ANSWER_TOKENS = 2000;
/** How servers report that a text is too long or filtered. Status 400 can also mean that the credit is used up. */
const REFUSED = /context|too long|maximum|tokens|content.?(?:filter|policy|management)/i;

const completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullable() }) })).min(1),
  usage: z.object({ total_tokens: z.number().int().min(0) }).nullish(),
});

/** A server with OpenAI's chat completions API: Ollama, llama.cpp, LM Studio and others. */
export function createEndpointModel(options: EndpointOptions): LanguageModel {
  const { url, model, timeoutMs = TIMEOUT_MS } = options;
  const { host } = new URL(url);
  /** Some servers reject `response_format`. */
  let takesFormat = true;
  /** Before its first answer, a refusal may be due to a wrong setting rather than to the text. */
  let hasAnswered = false;
  const failed = (reason: string, cause?: unknown) =>
    new SmartForkError('MODEL_UNAVAILABLE', `cannot query ${model} at ${host}: ${reason}`, {
      hint: 'Check memory.endpoint, memory.model and memory.api_key (smart-fork config list).',
      cause,
    });
  return {
    name: `${model} at ${host}`,
    async ask(request, signal) {
      try {
        return await withDeadline(timeoutMs, signal, async (within) => {
          let answer = await post(options, request, takesFormat, within);
          if (answer.status === 400 && takesFormat && answer.text.includes('response_format')) {
            takesFormat = false;
            answer = await post(options, request, false, within);
          }
          if (hasAnswered && isRefused(answer)) return null;
          if (answer.status !== 200) throw failed(`it answered with status ${answer.status}`);
          if (!answer.isWhole) throw failed('its answer is longer than 1 MB');
          const said = read(answer.text);
          if (said === null) throw failed('its answer is not a chat completion');
          hasAnswered = true;
          return said;
        });
      } catch (error) {
        if (error instanceof SmartForkError || signal?.aborted === true) throw error;
        const isLate = error instanceof DOMException && error.name === 'TimeoutError';
        throw failed(isLate ? `no answer within ${timeoutMs / 1000} s` : errorText(error), error);
      }
    },
  };
}

async function post(
  { url, model, apiKey }: EndpointOptions,
  { instructions, text }: ModelRequest,
  withFormat: boolean,
  signal: AbortSignal,
): Promise<{ status: number; text: string; isWhole: boolean }> {
  const body = {
    model,
    messages: [
      { role: 'system', content: instructions },
      { role: 'user', content: text },
    ],
    temperature: 0,
    max_tokens: MAX_ANSWER_TOKENS,
    response_format: withFormat ? { type: 'json_object' } : undefined,
  };
  const response = await fetch(`${url.replace(/(?<!\/)\/+$/, '')}/chat/completions`, {
    method: 'POST',
    headers:
      apiKey === null
        ? { 'content-type': 'application/json' }
        : { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(body),
    // No other server may receive the key or the text.
    redirect: 'error',
    signal,
  });
  const { bytes, isWhole } = await readLimited(response.body, MAX_BYTES);
  return { status: response.status, text: bytes.toString('utf8'), isWhole };
}

function isRefused({ status, text }: { status: number; text: string }): boolean {
  return status === 413 || status === 422 || (status === 400 && REFUSED.test(text));
}

function read(text: string) {
  const parsed = completion.safeParse(parseJson(text));
  if (!parsed.success) return null;
  const { choices, usage } = parsed.data;
  return { text: choices[0]?.message.content ?? '', tokens: usage?.total_tokens ?? null };
}
