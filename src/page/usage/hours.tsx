import type { UsageReport } from '../../domain/usage/usage-report.ts';
import { count } from '../parts/format.ts';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** Requests by weekday and hour: darker where there were more. */
export function Hours({ hours }: { hours: UsageReport['by_hour'] }) {
  const numbers = new Map(hours.map(({ weekday, hour, requests }) => [weekday * 24 + hour, requests]));
  const busiest = hours.reduce((one, other) => (other.requests > one.requests ? other : one));
  return (
    <figure class="chart">
      <figcaption>
        <span>Requests by weekday and hour</span>
        <span>most on {timeText(busiest.weekday, busiest.hour)}</span>
      </figcaption>
      <div
        class="hours"
        role="img"
        aria-label={`Requests by weekday and hour; most on ${timeText(busiest.weekday, busiest.hour)}: ${count(busiest.requests)}`}
      >
        {DAYS.map((name, weekday) => [
          <span key={name}>{name.slice(0, 3)}</span>,
          ...HOURS.map((hour) => {
            const requests = numbers.get(weekday * 24 + hour) ?? 0;
            return (
              <i
                key={`${name} ${hour}`}
                title={`${timeText(weekday, hour)}: ${count(requests, 'request')}`}
                // The root shows differences among few requests too.
                style={{
                  '--share': requests === 0 ? 0 : 0.12 + 0.88 * Math.sqrt(requests / busiest.requests),
                }}
              />
            );
          }),
        ])}
        <span />
        {HOURS.map((hour) => (
          <small key={hour}>{hour % 6 === 0 ? hour : ''}</small>
        ))}
      </div>
    </figure>
  );
}

function timeText(weekday: number, hour: number): string {
  return `${DAYS[weekday]}, ${hour}:00`;
}
