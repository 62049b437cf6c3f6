import { useStatsCounts } from '../api/use-stats-counts.ts';
import { change, parameter } from '../route/route.ts';

interface Properties {
  label: string;
  /** Name of the query parameter. */
  name: string;
  values: readonly string[];
  /** Label for no value. */
  all?: string;
  /** Value used without the parameter. */
  standard?: string;
  show?: (value: string) => string;
}

export function Select({ label, name, values, all, standard = '', show = (value) => value }: Properties) {
  const picked = parameter(name) || standard;
  const known = picked === '' || values.includes(picked) ? values : [picked, ...values];
  return (
    <select
      aria-label={label}
      value={picked}
      onChange={({ currentTarget: { value } }) => change({ [name]: value === standard ? null : value })}
    >
      {all !== undefined && <option value="">{all}</option>}
      {known.map((value) => (
        <option key={value} value={value}>
          {show(value)}
        </option>
      ))}
    </select>
  );
}

/** The value of all repositories, where the server's own is the default. */
export const EVERYWHERE = '*';

/** `here`: the repository that the answer shows because none is chosen. */
export function RepositorySelect({ here = null }: { here?: string | null }) {
  const repos = (useStatsCounts().data?.by_repo ?? []).map(({ value }) => value);
  const isChoice = here !== null || parameter('repo') === EVERYWHERE;
  return (
    <Select
      label="Repository"
      name="repo"
      all={isChoice ? `This repository${here === null ? '' : ` (${here})`}` : 'All repositories'}
      values={isChoice ? [EVERYWHERE, ...repos] : repos}
      show={(value) => (value === EVERYWHERE ? 'All repositories' : value)}
    />
  );
}
