/** Getting and removing a model needs no store: front ends take these two from here. */
export { pullModel } from '../adapters/onnx/pull-model.ts';
export { removeModel } from '../adapters/onnx/remove-model.ts';
