import { afterEach, beforeEach } from 'vitest';
import { ThrowawayHome } from '../machines/init-cli.ts';
import { type ModelDouble, startModel } from './model-double.ts';
import { type RealAgentName, realAgent } from './real-agents.ts';

/** A home, and a stand-in model, for each test. */
export interface AgentHome {
  readonly home: ThrowawayHome;
  readonly model: ModelDouble;
  /** The agent's real program in the home, which asks the model. */
  agent(name: RealAgentName): ReturnType<typeof realAgent>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into them by name.
  sessions(): Promise<any[]>;
}

export function useAgentHome(): AgentHome {
  let home: ThrowawayHome;
  let model: ModelDouble;
  beforeEach(async () => {
    home = new ThrowawayHome();
    model = await startModel();
  });
  afterEach(() => {
    model.close();
    home.remove();
  });
  return {
    get home() {
      return home;
    },
    get model() {
      return model;
    },
    agent: (name) => realAgent(home, name, model.url),
    sessions: async () => JSON.parse((await home.cli(['sessions', '--json'])).out || '{}').sessions ?? [],
  };
}
