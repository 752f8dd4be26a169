import { parentPort, workerData } from 'node:worker_threads'
import { compareSync } from 'bcryptjs'
import type { BcryptWork } from './bcrypt.ts'

if (parentPort === null) throw new Error('the worker for bcrypt must be started as a worker thread')

const { password, hash } = workerData as BcryptWork
parentPort.postMessage(compareSync(password, hash))
