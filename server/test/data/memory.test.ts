import { memoryBackend } from '../../src/data/memory/memory.ts'
import { testDataBackend } from './suites/contract-suite.ts'
import { testResumableWrites } from './suites/resumable-suite.ts'

testDataBackend('memory', () => {
  const backend = memoryBackend()
  return Promise.resolve({ backend, stored: () => Promise.resolve([]) })
})

testResumableWrites('memory', { borders: [100_000], commitBytes: 100_000 }, () => {
  // No other process can open it.
  const backend = memoryBackend()
  return Promise.resolve({
    open: () => Promise.resolve(backend),
    stored: () => Promise.resolve([]),
  })
})
