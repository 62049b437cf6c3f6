/** Rerankers that can be named without their owner on the hub. */
const KNOWN = ['cross-encoder/ettin-reranker-17m-v1', 'cross-encoder/ms-marco-MiniLM-L6-v2'];

/** A reranker's id on the hub; null for the path of a folder. */
export function rerankerId(name: string): string | null {
  const known = KNOWN.find((id) => id === name || id.split('/')[1]?.replace(/-v\d+$/, '') === name);
  if (known !== undefined) return known;
  return /^[\w-]+\/[\w.-]+$/.test(name) ? name : null;
}
