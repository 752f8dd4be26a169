import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { sequentialHasher } from './sequential-hasher.ts'
import { simdHasher } from './simd-hasher.ts'
import type { HashRequest, HashWork, HashWorkerData } from './hash-messages.ts'

const port = parentPort
if (port === null) throw new Error('the hash worker must be started as a worker thread')

const work = createHasher(workerData as HashWorkerData)

port.on('message', (request: HashRequest) => {
  work.accept(request)
  acceptMore()
  while (work.isBusy()) {
    const responses = work.step()
    for (const response of responses) port.postMessage(response)
    // Requests that arrived meanwhile can join the next step.
    if (responses.length > 0) acceptMore()
  }
})

/** The SIMD hasher, unless the processor lacks vector instructions: virtual machines may hide SSE4.1. */
function createHasher(data: HashWorkerData): HashWork {
  try {
    return simdHasher(data)
  } catch (error) {
    if (!(error instanceof Error && error.name === 'CompileError')) throw error
    return sequentialHasher(data)
  }
}

function acceptMore(): void {
  for (let next = nextMessage(); next !== undefined; next = nextMessage()) work.accept(next)
}
const nextMessage = () => receiveMessageOnPort(port)?.message as HashRequest | undefined
