import { AGENT_SOURCES as OTHERS } from '../../../src/compose/agents/sources.ts';
import { createToySource } from './toy-source.ts';

/** Takes the place of src/compose/agents/sources.ts in the program with the toy agent. */
export const AGENT_SOURCES = { ...OTHERS, toy: () => createToySource };
