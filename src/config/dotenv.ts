// In a module of its own: a bundle that imports this CommonJS package on demand would get no names from it.
export { parse as parseDotenv } from 'dotenv';
