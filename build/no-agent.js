// In place of undici, which Qdrant's client loads for an agent. Every request has another one (src/adapters/qdrant/http/dispatcher-within.ts).
export class Agent {}
