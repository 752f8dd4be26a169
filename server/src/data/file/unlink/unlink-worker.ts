import fs from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { errorCode, hasCode } from '../disk/file-calls.ts'
import type { UnlinkResponse, UnlinkRequest } from './unlink-thread.ts'

const port = parentPort
if (port === null) throw new Error('the worker that unlinks files must be started as a worker thread')

port.on('message', (paths: UnlinkRequest) => {
  port.postMessage(paths.map(unlink) satisfies UnlinkResponse)
})

function unlink(path: string): UnlinkResponse[number] {
  try {
    fs.unlinkSync(path)
    return 'removed'
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 'absent'
    return { message: error instanceof Error ? error.message : String(error), code: errorCode(error) }
  }
}
