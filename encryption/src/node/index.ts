export type { NodeEngineOptions } from './engine.ts'
export { createNodeEngine } from './engine.ts'
export { bytesOf, writeChunks } from './files.ts'
