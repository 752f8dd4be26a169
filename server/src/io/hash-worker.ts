import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { hashLanes } from './hash-lanes.ts'
import type { HashRequest, HashWorkerData } from './hash-messages.ts'

const port = parentPort
if (port === null) throw new Error('the hash worker must be started as a worker thread')

const lanes = hashLanes(workerData as HashWorkerData)

port.on('message', (request: HashRequest) => {
  lanes.accept(request)
  acceptMore()
  while (lanes.isBusy()) {
    const answers = lanes.step()
    for (const answer of answers) port.postMessage(answer)
    // What has come meanwhile may go along in the next step.
    if (answers.length > 0) acceptMore()
  }
})

function acceptMore(): void {
  for (let next = received(); next !== undefined; next = received()) lanes.accept(next)
}
const received = () => receiveMessageOnPort(port)?.message as HashRequest | undefined
