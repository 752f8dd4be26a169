import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { sequentialHasher } from './sequential-hasher.ts'
import { simdHasher } from './simd-hasher.ts'
import type { HashRequest, HashWork, HashWorkerData } from './hash-messages.ts'

const port = parentPort
if (port === null) throw new Error('the hash worker must be started as a worker thread')

const work = begin(workerData as HashWorkerData)

port.on('message', (request: HashRequest) => {
  work.accept(request)
  acceptMore()
  while (work.isBusy()) {
    const answers = work.step()
    for (const answer of answers) port.postMessage(answer)
    // What has come meanwhile may go along in the next step.
    if (answers.length > 0) acceptMore()
  }
})

/** Virtual machines may hide what vectors need of their processor (SSE4.1). */
function begin(data: HashWorkerData): HashWork {
  try {
    return simdHasher(data)
  } catch (error) {
    if (!(error instanceof Error && error.name === 'CompileError')) throw error
    return sequentialHasher(data)
  }
}

function acceptMore(): void {
  for (let next = received(); next !== undefined; next = received()) work.accept(next)
}
const received = () => receiveMessageOnPort(port)?.message as HashRequest | undefined
