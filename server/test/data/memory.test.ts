import { memoryBackend } from '../../src/data/memory.ts'
import { testDataBackend } from './contract-suite.ts'

testDataBackend('memory', () => {
  const backend = memoryBackend()
  return Promise.resolve({ backend, stored: () => Promise.resolve([]), close: () => Promise.resolve() })
})
