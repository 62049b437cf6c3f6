// A separate module: named imports of this CommonJS package would be lost in a bundle that imports it lazily.
export { parse as parseDotenv } from 'dotenv';
