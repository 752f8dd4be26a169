export type { NodeEngineOptions } from './engine.ts'
export { createNodeEngine } from './engine.ts'
export { bytesOf, writePieces } from './files.ts'
