import { parentPort } from 'node:worker_threads'
import type { Task } from '../engine/pool.ts'
import { runTask } from '../engine/run-task.ts'
import { nodeCipher } from './cipher.ts'
import { nodeScrypt } from './scrypt.ts'

const algorithms = { cipher: nodeCipher, scrypt: nodeScrypt }
const port = parentPort
if (port === null) throw new Error('this must be started as a worker thread')

port.on('message', (task: Task) => {
  void runTask(task, algorithms).then((result) => {
    port.postMessage(result, 'buffer' in result ? [result.buffer] : [])
  })
})
