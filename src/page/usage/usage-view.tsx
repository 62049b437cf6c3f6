import { useEffect } from 'preact/hooks';
import { get } from '../api/client.ts';
import type { Usage, UsageRow } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { agentName, count, shortNumber } from '../parts/format.ts';
import { Select } from '../parts/select.tsx';
import { Empty, Failure, NotHere, Skeleton } from '../parts/states.tsx';
import { parameter } from '../route/route.ts';
import { useStatsCounts } from '../search/use-results.ts';
import { TokenChart } from './token-chart.tsx';

/** Sessions, turns and tokens, as the transcripts count them. */
export function UsageView() {
  const by = parameter('by') || 'day';
  const [repo, agent, since] = ['repo', 'agent', 'since'].map(parameter);
  const values = { by, repo, agent, since };
  const answer = useAnswer<Usage>(JSON.stringify(values), (abort) => get('/api/v1/usage', values, abort));
  const repos = useStatsCounts().data?.by_repo ?? [];
  useEffect(() => {
    document.title = 'Usage · smart-fork';
  }, []);
  const { data, problem } = answer;
  return (
    <div class="column wide">
      <div class="view-head">
        <h1>Usage</h1>
        <Select
          label="Repository"
          name="repo"
          all="All repositories"
          values={repos.map(({ value }) => value)}
        />
        <Select label="Agent" name="agent" all="Both agents" values={['claude', 'codex']} show={agentName} />
        <Select
          label="Since"
          name="since"
          all="All time"
          values={['1w', '1m', '3m', '1y']}
          show={sinceName}
        />
        <Select
          label="By"
          name="by"
          standard="day"
          values={['day', 'week']}
          show={(value) => `by ${value}`}
        />
      </div>
      {problem?.status === 404 && <NotHere what="usage" />}
      {problem !== null && problem.status !== 404 && <Failure problem={problem} retry={answer.reload} />}
      {data === null && problem === null && <Skeleton lines={6} height={56} />}
      {data !== null && data.rows.length === 0 && <Empty title="No tokens were counted." />}
      {data !== null && data.rows.length > 0 && <Report usage={data} />}
    </div>
  );
}

const SINCE_NAMES: Record<string, string> = {
  '1w': 'Last week',
  '1m': 'Last month',
  '3m': 'Last 3 months',
  '1y': 'Last year',
};

function sinceName(value: string): string {
  return SINCE_NAMES[value] ?? `since ${value}`;
}

const NUMBERS = [
  ['sessions', 'Sessions'],
  ['turns', 'Turns'],
  ['input_tokens', 'Input'],
  ['output_tokens', 'Output'],
  ['cache_read_tokens', 'Cache read'],
  ['cache_write_tokens', 'Cache write'],
] as const;

function Report({ usage: { totals, rows } }: { usage: Usage }) {
  return (
    <>
      <dl class="totals">
        {NUMBERS.map(([name, title]) => (
          <div key={name}>
            <dt>{title}</dt>
            <dd title={count(totals[name])}>{shortNumber(totals[name])}</dd>
          </div>
        ))}
      </dl>
      <TokenChart rows={rows} />
      <Table title="By model" rows={rows} group={({ model, agent }) => model ?? agentName(agent)} />
      <Table title="By repository" rows={rows} group={({ repo }) => repo} />
      <Table title="By day" rows={rows} group={({ date }) => date} newestFirst />
    </>
  );
}

interface TableProperties {
  title: string;
  rows: UsageRow[];
  group: (row: UsageRow) => string;
  newestFirst?: boolean;
}

const MOST_ROWS = 31;

function Table({ title, rows, group, newestFirst = false }: TableProperties) {
  const names = [...new Set(rows.map(group))];
  const lines = names.map((name) => {
    const own = rows.filter((row) => group(row) === name);
    const sums = NUMBERS.map(([number]) => own.reduce((sum, row) => sum + row[number], 0));
    return { name, sums };
  });
  lines.sort((one, other) =>
    newestFirst ? other.name.localeCompare(one.name) : (other.sums[3] ?? 0) - (one.sums[3] ?? 0),
  );
  return (
    <div class="table" tabIndex={0} role="region" aria-label={title}>
      <table>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            {NUMBERS.map(([name, text]) => (
              <th scope="col" class="number" key={name}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.slice(0, MOST_ROWS).map(({ name, sums }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {sums.map((sum, index) => (
                <td class="number" key={index}>
                  {count(sum)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
