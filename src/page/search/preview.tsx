import type { SearchResult } from '../../domain/search-result.ts';
import type { SessionCard } from '../../domain/summary.ts';
import { get } from '../api/client.ts';
import type { TurnWindow } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { useWide } from '../parts/use-wide.ts';
import { TurnBody } from '../reader/turn-body.tsx';
import { Link } from '../route/link.tsx';
import { parameter } from '../route/route.ts';
import { resultAddress } from './result.tsx';

const WIDE = 1400;

type Properties = { result: SearchResult | SessionCard | undefined; rank: number };

/** The matching turn, shown next to the results if there is room. */
export function Preview({ result, rank }: Properties) {
  return useWide(WIDE) ? <WidePreview result={result} rank={rank} /> : null;
}

function WidePreview({ result, rank }: Properties) {
  const id = result?.session_id ?? '';
  const turn = result !== undefined && 'match' in result ? (result.match.turn ?? 0) : 0;
  const answer = useAnswer<TurnWindow>(
    id === '' ? null : `${id} ${turn}`,
    (abort) => get(`/api/v1/sessions/${id}/turns`, { from: turn, count: 1 }, abort),
    { delayMs: 120 },
  );
  const shown = answer.data?.turns[0];
  return (
    <aside class="preview" aria-label="Preview" tabIndex={0}>
      {result !== undefined && shown !== undefined && (
        <>
          <p class="preview-head">
            <strong class="clip">{result.title}</strong>
            <Link to={resultAddress(result, parameter('q'), rank)}>
              turn {shown.index + 1} of {answer.data?.total}
            </Link>
          </p>
          <TurnBody key={`${id} ${shown.index}`} id={id} turn={shown} />
        </>
      )}
    </aside>
  );
}
