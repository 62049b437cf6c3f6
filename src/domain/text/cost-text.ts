interface Cost {
  cost?: number;
  unpriced_requests: number;
  partial_requests?: number;
}

/** "$12.34"; "$12.34+" if a part of the requests has no price, or of their output no number; "unknown" if none has a price. */
export function costText({ cost, unpriced_requests, partial_requests = 0 }: Cost): string {
  if (cost === undefined) return 'unknown';
  const text = `$${cost.toLocaleString('en-US', CENTS)}`;
  if (unpriced_requests + partial_requests > 0) return `${text}+`;
  return cost > 0 && cost < 0.01 ? '<$0.01' : text;
}

/** "1,234"; "1,234+" if a part of the requests has no final number. */
export function outputText({
  output_tokens,
  partial_requests,
}: {
  output_tokens: number;
  partial_requests: number;
}): string {
  return `${output_tokens.toLocaleString('en-US')}${partial_requests > 0 ? '+' : ''}`;
}

const CENTS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
