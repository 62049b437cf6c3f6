import type { StoreWrites, WriteDependencies } from './write-store.ts';

/** Loads what writes on the first write, because most commands only read. */
export function lazyWrites(deps: WriteDependencies): StoreWrites {
  let loading: Promise<StoreWrites> | null = null;
  const load = () => {
    loading ??= import('./write-store.ts').then(({ createWrites }) => createWrites(deps));
    return loading;
  };
  return {
    write: async (changes) => (await load()).write(changes),
    deleteSessions: async (ids) => (await load()).deleteSessions(ids),
    setTags: async (id, tags) => (await load()).setTags(id, tags),
    setVectors: async (model, vectors) => (await load()).setVectors(model, vectors),
    refresh: async (signal) => (await load()).refresh(signal),
    received: {
      write: async (changes) => (await load()).received.write(changes),
      deleteSessions: async (ids) => (await load()).received.deleteSessions(ids),
      setTags: async (id, tags) => (await load()).received.setTags(id, tags),
      setVectors: async (model, vectors) => (await load()).received.setVectors(model, vectors),
    },
  };
}
