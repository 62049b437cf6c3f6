import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { UsageRow } from '../../domain/usage/usage-report.ts';
import { day, daysAndYears, shortNumber } from '../parts/format.ts';
import { DAY_MS, daysBetween } from './days-between.ts';

const HEIGHT = 200;
const MAX_MODELS = 4;
/** Possible intervals between dates on the axis, in days. */
const STEPS = [1, 2, 3, 7, 14, 28, 61, 91, 182, 365];

/** Output tokens over time, with a line for each of the models that wrote most. */
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
  const dates = daysBetween(rows.map(({ date }) => date));
  const models = modelsByTokens(rows);
  const series = models.map((model) =>
    dates.map((date) =>
      sum(rows.filter((row) => row.date.slice(0, 10) === date && (row.model ?? row.agent) === model)),
    ),
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
      width: element.clientWidth,
      height: HEIGHT,
      axes: [
        {
          ...axis,
          incrs: STEPS.map((days) => (days * DAY_MS) / 1000),
          values: (_, splits) => daysAndYears(splits),
        },
        { ...axis, size: 52, values: (_, splits) => splits.map((value) => shortNumber(value)) },
      ],
      series: [
        {
          label: 'Day',
          value: (_: uPlot, value: number | null) =>
            value === null ? '' : day(new Date(value * 1000).toISOString()),
        },
        ...models.map((label, index) => ({
          label,
          stroke: color(`--series-${index + 1}`),
          ...(models.length === 1 && bars !== undefined
            ? { paths: bars, fill: color('--series-1') }
            : { width: 2 }),
          value: (_: uPlot, value: number | null) => (value === null ? '' : shortNumber(value)),
        })),
      ],
    },
    [dates.map((date) => new Date(`${date}T00:00:00`).getTime() / 1000), ...series],
    element,
  );
}

function modelsByTokens(rows: UsageRow[]): string[] {
  const models = [...new Set(rows.map(({ model, agent }) => model ?? agent))];
  const tokens = (model: string) => sum(rows.filter((row) => (row.model ?? row.agent) === model));
  return models.sort((one, other) => tokens(other) - tokens(one)).slice(0, MAX_MODELS);
}

function sum(rows: UsageRow[]): number {
  return rows.reduce((total, { output_tokens }) => total + output_tokens, 0);
}
