/** The answer to a question, good enough for some milliseconds; one that failed is asked for again. */
export function rememberFor<T>(ms: number, now: () => number, ask: () => Promise<T>) {
  let kept: { at: number; answer: Promise<T> } | null = null;
  const peek = () => (kept !== null && Math.abs(now() - kept.at) < ms ? kept.answer : null);
  return {
    /** Null where nothing is known. */
    peek,
    get(): Promise<T> {
      const known = peek();
      if (known !== null) return known;
      const answer = ask();
      kept = { at: now(), answer };
      answer.catch(() => {
        if (kept?.answer === answer) kept = null;
      });
      return answer;
    },
    forget() {
      kept = null;
    },
  };
}
