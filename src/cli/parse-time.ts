export { parseTime } from '../domain/parse-time.ts';
