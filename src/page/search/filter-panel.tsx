import type { Facets } from '../../domain/search-result.ts';
import type { Count } from '../api/types.ts';
import { useStatsCounts } from '../api/use-stats-counts.ts';
import { agentName, count } from '../parts/format.ts';
import { change, parameter } from '../route/route.ts';
import { useUnfolded } from '../route/unfolded.ts';
import { currentFilters, type FilterName } from './filters.ts';

const AGES: Count[] = [
  { value: '1d', count: -1 },
  { value: '1w', count: -1 },
  { value: '1m', count: -1 },
  { value: '1y', count: -1 },
];
const AGE_NAMES: Record<string, string> = {
  '1d': 'Last day',
  '1w': 'Last week',
  '1m': 'Last month',
  '1y': 'Last year',
};
const OUTCOMES: Count[] = ['committed', 'edited', 'discussed'].map((value) => ({ value, count: -1 }));
const FIRST = 8;

/** Filters with the number of sessions for each. On narrow screens they fold into one line. */
export function FilterPanel({ facets }: { facets: Facets | null }) {
  const stats = useStatsCounts();
  const repos = facets?.repo ?? stats.data?.by_repo ?? [];
  const agents = facets?.agent ?? stats.data?.by_agent ?? [];
  const isSearch = parameter('q').trim() !== '';
  const [isOpen, toggle] = useUnfolded('filters');
  return (
    <aside class="filters" aria-label="Filters">
      <button type="button" class="fold" aria-expanded={isOpen} onClick={toggle}>
        Filters
      </button>
      <div class={isOpen ? 'groups open' : 'groups'}>
        <Group name="repo" title="Repository" values={repos} />
        <Group name="agent" title="Agent" values={agents} show={agentName} />
        <Group name="branch" title="Branch" values={facets?.branch ?? []} mono />
        <Group name="since" title="Last changed" values={AGES} show={(value) => AGE_NAMES[value] ?? value} />
        {isSearch && <Group name="outcome" title="Outcome" values={OUTCOMES} />}
        {isSearch && <Switches />}
      </div>
    </aside>
  );
}

interface GroupProperties {
  name: FilterName;
  title: string;
  values: Count[];
  show?: (value: string) => string;
  mono?: boolean;
}

function Group({ name, title, values, show = (value) => value, mono = false }: GroupProperties) {
  const [isWhole, toggleWhole] = useUnfolded(name);
  const picked = parameter(name);
  // With other filters, the picked value may match nothing.
  const isMissing = picked !== '' && !values.some(({ value }) => value === picked);
  const all = isMissing ? [{ value: picked, count: 0 }, ...values] : values;
  const shown = all.filter(({ value }, index) => isWhole || index < FIRST || value === picked);
  if (all.length === 0) return null;
  const toggle = (value: string) =>
    change({ [name]: picked === value ? null : value, sel: null, pages: null });
  return (
    <fieldset>
      <legend>{title}</legend>
      {shown.map(({ value, count: sessions }) => (
        <button
          type="button"
          class="chip"
          key={value}
          aria-pressed={picked === value}
          title={value}
          onClick={() => toggle(value)}
        >
          <span class={mono ? 'mono clip' : 'clip'}>{show(value) || 'none'}</span>
          {sessions >= 0 && <small title={count(sessions, 'session')}>{sessions}</small>}
        </button>
      ))}
      {values.length > FIRST && (
        <button type="button" class="quiet" onClick={toggleWhole}>
          {isWhole ? 'Fewer' : `${values.length - FIRST} more`}
        </button>
      )}
    </fieldset>
  );
}

function Switches() {
  const switches = [
    ['everywhere', 'Rank all repositories alike'],
    ['literal', 'Search for every word'],
  ] as const;
  return (
    <fieldset>
      <legend>How</legend>
      {switches.map(([name, text]) => (
        <label class="switch" key={name}>
          <input
            type="checkbox"
            checked={parameter(name) === '1'}
            onChange={(event) => change({ [name]: event.currentTarget.checked ? '1' : null, sel: null })}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

/** The active filters, each with a button that removes it. */
export function PickedFilters() {
  const filters = Object.entries(currentFilters());
  if (filters.length === 0) return null;
  return (
    <div class="picked">
      {filters.map(([name, value]) => (
        <button type="button" class="chip" key={name} onClick={() => change({ [name]: null, sel: null })}>
          <span class="clip">
            {name}: {value}
          </span>
          <span aria-hidden="true">×</span>
          <span class="hidden">Remove this filter</span>
        </button>
      ))}
    </div>
  );
}
