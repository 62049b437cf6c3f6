export { bytes, clock, count, dateTime, duration, plural, timeAgo } from '../../domain/time-text.ts';
