import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { UsageRow } from '../../domain/usage/usage-report.ts';
import { shortNumber } from '../parts/format.ts';

const HEIGHT = 200;
const MOST_MODELS = 4;

/** Output tokens by time, a line for each of the models that wrote most. */
export function TokenChart({ rows }: { rows: UsageRow[] }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const draw = () => plot(element, rows);
    let chart = draw();
    const again = () => {
      chart.destroy();
      chart = draw();
    };
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', again);
    const size = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    size.observe(element);
    return () => {
      dark.removeEventListener('change', again);
      size.disconnect();
      chart.destroy();
    };
  }, [rows]);
  return (
    <figure class="chart">
      <figcaption>Output tokens</figcaption>
      <div
        ref={place}
        role="img"
        aria-label="Output tokens by time and model; the tables below have the numbers"
      />
    </figure>
  );
}

function plot(element: HTMLElement, rows: UsageRow[]): uPlot {
  const dates = [...new Set(rows.map(({ date }) => date))].sort();
  const models = modelsByTokens(rows);
  const series = models.map((model) =>
    dates.map((date) => sum(rows.filter((row) => row.date === date && (row.model ?? row.agent) === model))),
  );
  const color = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const [line, text] = [color('--line'), color('--muted')];
  const axis = {
    stroke: text,
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1 },
    font: '11px system-ui',
  };
  const bars = uPlot.paths.bars?.({ size: [0.7, 28] });
  return new uPlot(
    {
      ...{ width: element.clientWidth, height: HEIGHT },
      axes: [axis, { ...axis, size: 52, values: (_, splits) => splits.map((value) => shortNumber(value)) }],
      series: [
        {},
        ...models.map((label, index) => ({
          label,
          stroke: color(`--series-${index + 1}`),
          ...(models.length === 1 && bars !== undefined
            ? { paths: bars, fill: color('--series-1') }
            : { width: 2 }),
          points: { size: 5 },
          value: (_: uPlot, value: number | null) => (value === null ? '' : shortNumber(value)),
        })),
      ],
    },
    [dates.map((date) => new Date(`${date.slice(0, 10)}T00:00:00`).getTime() / 1000), ...series],
    element,
  );
}

function modelsByTokens(rows: UsageRow[]): string[] {
  const models = [...new Set(rows.map(({ model, agent }) => model ?? agent))];
  const tokens = (model: string) => sum(rows.filter((row) => (row.model ?? row.agent) === model));
  return models.sort((one, other) => tokens(other) - tokens(one)).slice(0, MOST_MODELS);
}

function sum(rows: UsageRow[]): number {
  return rows.reduce((total, { output_tokens }) => total + output_tokens, 0);
}
