// Writes src/domain/usage/price-list.ts from copies of LiteLLM's list of prices:
//   node build/update-prices.js DATE model_prices_and_context_window.json...
// Later files win. Models that they do not name any more keep the price they had, because transcripts still name them.
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('../src/domain/usage/price-list.ts', import.meta.url);
const PROVIDERS = [
  'anthropic',
  'openai',
  'gemini',
  'xai',
  'dashscope',
  'moonshot',
  'zai',
  'deepseek',
  'minimax',
];
const OTHER_USES =
  /^ft:|latest|audio|image|live|search|research|realtime|robotics|transcribe|tts|vision|-vl|omni|computer-use|gemma|learnlm|^gpt-3|^gpt-4(-|$)|^gemini-(1|2\.0|pro)|-exp|^moonshot|^grok-(2|beta)|^grok.*(beta|multi-agent|gv2)/;

const DATE = /-(\d{8}|\d{4}-\d{2}-\d{2})$/;

const [date, ...files] = process.argv.slice(2);
if (!/^\d{4}-\d{2}-\d{2}$/.test(date ?? '') || files.length === 0)
  throw new Error('usage: node build/update-prices.js DATE FILE...');

const models = {};
for (const [, name, tiers] of readFileSync(FILE, 'utf8').matchAll(/^ {4}'([^']+)': (\[\[.*\]\]),$/gm))
  models[name] = JSON.parse(tiers);
for (const file of files)
  for (const [key, entry] of Object.entries(JSON.parse(readFileSync(file, 'utf8')))) {
    const name = key.slice(key.lastIndexOf('/') + 1).toLowerCase();
    if (!PROVIDERS.includes(entry.litellm_provider) || !['chat', 'responses'].includes(entry.mode)) continue;
    const tiers = OTHER_USES.test(name) ? [] : tiersOf(entry);
    if (tiers.length > 0) models[name] = tiers;
  }
nameWithoutDates();
const rows = Object.keys(models)
  .filter((name) => !repeatsItsModel(name))
  .sort()
  .map((name) => `    '${name}': ${JSON.stringify(models[name]).replaceAll(',', ', ')},`);
writeFileSync(
  FILE,
  `/*! Prices of LiteLLM's list (MIT, Copyright (c) 2023 Berri AI), written by build/update-prices.js. */
import type { PriceTier } from './usage.ts';

/** Each tier: context above, input, output, cache read, cache write, cache write kept for an hour. */
export const PRICE_LIST: {
  source: string;
  licence: string;
  date: string;
  models: Record<string, PriceTier[]>;
} = {
  source: 'https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json',
  licence: 'MIT, Copyright (c) 2023 Berri AI',
  date: '${date}',
  // biome-ignore format: a line for each model
  models: {
${rows.join('\n')}
  },
};
`,
);
console.log(`${rows.length} models`);

/** A model's prices, and those of requests with longer contexts. Empty without a price. */
function tiersOf(entry) {
  if (Array.isArray(entry.tiered_pricing))
    return entry.tiered_pricing.map((tier) => tierOf({ ...entry, ...tier }, '', tier.range[0]));
  if (!(entry.input_cost_per_token > 0)) return [];
  const above = Object.keys(entry).flatMap(
    (key) => /^input_cost_per_token(_above_(\d+)k_tokens)$/.exec(key) ?? [],
  );
  const tiers = [tierOf(entry, '', 0)];
  for (let at = 0; at < above.length; at += 3)
    tiers.push(tierOf(entry, above[at + 1], Number(above[at + 2]) * 1000));
  return tiers.sort(([one], [other]) => one - other);
}

/** Anthropic asks twice the input's price for an hour in the cache; older versions of the list have other numbers. */
function tierOf(entry, suffix, context) {
  const price = (key) => entry[key + suffix] ?? entry[key];
  const input = price('input_cost_per_token');
  const read = price('cache_read_input_token_cost') ?? input;
  const write = price('cache_creation_input_token_cost') || input;
  const hour = entry.litellm_provider === 'anthropic' ? 2 * input : write;
  const amounts = [input, price('output_cost_per_token'), read, write, hour];
  return [context, ...amounts.map((amount) => Number((amount * 1e6).toFixed(6)))];
}

/** A version with a date that costs as much as the model without it. */
function repeatsItsModel(name) {
  const base = name.replace(DATE, '');
  return base !== name && JSON.stringify(models[base]) === JSON.stringify(models[name]);
}

/** A model of which the list has only versions with dates, all at one price, also has it without a date. */
function nameWithoutDates() {
  const prices = {};
  for (const [name, tiers] of Object.entries(models)) {
    const base = name.replace(DATE, '');
    prices[base] = [...(prices[base] ?? []), JSON.stringify(tiers)];
  }
  for (const [base, all] of Object.entries(prices))
    if (models[base] === undefined && new Set(all).size === 1) models[base] = JSON.parse(all[0]);
}
