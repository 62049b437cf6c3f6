import type { UsageRow } from '../../domain/usage/usage-report.ts';
import { day, shortNumber } from '../parts/format.ts';
import { type Bar, barsOf } from './bars.ts';

/** The models that wrote most have their own colours; the rest is counted together, so that the bars are as high as what was used. */
const MAX_MODELS = 4;
const OTHERS = 'others';

/** Output tokens over time, by model. */
export function TokenChart({ rows }: { rows: UsageRow[] }) {
  const bars = barsOf(rows, MAX_MODELS, OTHERS);
  const names = [...new Set(bars.flatMap(({ parts }) => [...parts.keys()]))];
  const total = (name: string) => bars.reduce((sum, { parts }) => sum + (parts.get(name) ?? 0), 0);
  const shown = names
    .filter((name) => name !== OTHERS)
    .sort((one, other) => total(other) - total(one))
    .concat(names.includes(OTHERS) ? [OTHERS] : []);
  const most = roundUp(Math.max(...bars.map(sum), 1));
  return (
    <figure class="chart">
      <figcaption>
        <span>Output tokens</span>
        {shown.map((name, index) => (
          <span key={name}>
            <i style={{ background: colorOf(name, index) }} /> {name} {shortNumber(total(name))}
          </span>
        ))}
      </figcaption>
      <div
        class="plot"
        role="img"
        aria-label="Output tokens by time and model; the tables below have the numbers"
      >
        <span class="scale">{shortNumber(most)}</span>
        <span class="scale half">{shortNumber(most / 2)}</span>
        {bars.map((bar) => (
          <div class="slot" key={bar.from} title={textOf(bar, shown)}>
            {shown.map((name, index) => (
              <i
                key={name}
                style={{
                  height: `${((bar.parts.get(name) ?? 0) / most) * 100}%`,
                  background: colorOf(name, index),
                }}
              />
            ))}
          </div>
        ))}
      </div>
      <div class="axis" aria-hidden="true">
        {[0, 1, 2, 3, 4].map((step) => (
          <span key={step}>{day(`${bars[Math.round((step / 4) * (bars.length - 1))]?.from}T12:00:00`)}</span>
        ))}
      </div>
    </figure>
  );
}

function colorOf(name: string, index: number): string {
  return name === OTHERS ? 'var(--muted)' : `var(--series-${index + 1})`;
}

function sum({ parts }: Bar): number {
  return [...parts.values()].reduce((total, tokens) => total + tokens, 0);
}

function textOf(bar: Bar, names: string[]): string {
  const [from, to] = [bar.from, bar.to].map((date) => day(`${date}T12:00:00`));
  const parts = names.flatMap((name) => {
    const tokens = bar.parts.get(name) ?? 0;
    return tokens === 0 ? [] : [`${name} ${shortNumber(tokens)}`];
  });
  return `${from === to ? from : `${from} – ${to}`}: ${parts.join(', ') || 'none'}`;
}

/** To 1, 2 or 5 of a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5].find((step) => step * power >= value) ?? 10);
}
