// Stands for undici, which Qdrant's client loads for an agent that smart-fork replaces in every request.
export class Agent {}
