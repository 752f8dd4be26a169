export type { NodeEngineOptions } from './engine.ts'
export { createNodeEngine } from './engine.ts'
export { readPieces, writePieces } from './files.ts'
