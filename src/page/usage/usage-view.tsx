import { costText } from '../../domain/text/cost-text.ts';
import type { UsageGroup, UsageNumbers, UsageReport } from '../../domain/usage/usage-report.ts';
import { get } from '../api/client.ts';
import { useAnswer } from '../api/use-answer.ts';
import { AGENT_NAMES } from '../parts/agent-names.ts';
import { agentName, count, day, shortNumber } from '../parts/format.ts';
import { RepositorySelect, Select } from '../parts/select.tsx';
import { Empty, Failure, Skeleton } from '../parts/states.tsx';
import { parameter } from '../route/route.ts';
import { useTitle } from '../route/title.ts';
import { useUnfolded } from '../route/unfolded.ts';
import { Hours } from './hours.tsx';
import { TokenChart } from './token-chart.tsx';

/** Sessions, requests and tokens, as counted from transcripts. */
export function UsageView() {
  const [repo, agent, since] = ['repo', 'agent', 'since'].map(parameter);
  const values = { repo, agent, since };
  const answer = useAnswer<UsageReport>(JSON.stringify(values), (abort) =>
    get('/api/v1/usage', values, abort),
  );
  useTitle('Usage');
  const { data, problem } = answer;
  return (
    <div class="column wide">
      <div class="view-head">
        <h1>Usage</h1>
        <RepositorySelect />
        <Select
          label="Agent"
          name="agent"
          all="All agents"
          values={Object.keys(AGENT_NAMES)}
          show={agentName}
        />
        <Select
          label="Since"
          name="since"
          all="All time"
          values={['1w', '1m', '3m', '1y']}
          show={sinceName}
        />
      </div>
      {problem !== null && <Failure problem={problem} retry={answer.reload} />}
      {data === null && problem === null && <Skeleton lines={6} height={56} />}
      {data !== null && problem === null && data.rows.length === 0 && (
        <Empty title="No tokens were counted." />
      )}
      {data !== null && problem === null && data.rows.length > 0 && <Report usage={data} />}
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

const NUMBERS: [keyof UsageNumbers, string][] = [
  ['sessions', 'Sessions'],
  ['requests', 'Requests'],
  ['input_tokens', 'Input'],
  ['output_tokens', 'Output'],
  ['cache_read_tokens', 'Cache read'],
  ['cache_write_tokens', 'Cache write'],
  ['cost', 'Cost'],
];

function shown(numbers: UsageNumbers, name: keyof UsageNumbers, form: (value: number) => string): string {
  if (name === 'cost') return costText(numbers);
  const isLeast = name === 'output_tokens' && numbers.partial_requests > 0;
  return `${form(numbers[name] ?? 0)}${isLeast ? '+' : ''}`;
}

function Report({ usage }: { usage: UsageReport }) {
  const { totals, by_model, by_agent, by_repo, by_day, by_hour, rows, without_price, prices } = usage;
  const table = (title: string, groups: UsageGroup[]) => <Table title={title} groups={groups} />;
  return (
    <>
      <dl class="totals">
        {NUMBERS.map(([name, title]) => (
          <div key={name}>
            <dt>{title}</dt>
            <dd title={shown(totals, name, count)}>{shown(totals, name, shortNumber)}</dd>
          </div>
        ))}
      </dl>
      <p class="note">
        US dollars, at list prices of {prices.date} or those in usage.prices.
        {totals.partial_requests > 0 &&
          ` +: at least. The transcripts have no final number of output tokens for ${count(totals.partial_requests, 'request')}.`}
        {without_price.length > 0 && ` No price is known for ${without_price.join(', ')}: not in the cost.`}
      </p>
      <TokenChart rows={rows} />
      {by_hour.length > 0 && <Hours hours={by_hour} />}
      {table('By model', by_model)}
      {by_agent.length > 1 &&
        table(
          'By agent',
          by_agent.map((group) => ({ ...group, value: agentName(group.value) })),
        )}
      {table('By repository', by_repo)}
      {table(
        'By day',
        by_day.map((group) => ({ ...group, value: day(`${group.value}T12:00:00`) })),
      )}
    </>
  );
}

interface TableProperties {
  title: string;
  groups: UsageGroup[];
}

const MAX_ROWS = 14;

function Table({ title, groups }: TableProperties) {
  const [isWhole, toggle] = useUnfolded(title.toLowerCase().replace(' ', '-'));
  const shownGroups = isWhole ? groups : groups.slice(0, MAX_ROWS);
  return (
    <div class="table numbers" tabIndex={0} role="region" aria-label={title}>
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
          {shownGroups.map((group) => (
            <tr key={group.value}>
              <th scope="row">{group.value}</th>
              {NUMBERS.map(([name]) => (
                <td class="number" key={name}>
                  {shown(group, name, count)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {groups.length > MAX_ROWS && (
        <button type="button" class="quiet" onClick={toggle}>
          {isWhole ? 'Fewer' : `${count(groups.length - MAX_ROWS)} more`}
        </button>
      )}
    </div>
  );
}
