import fs from 'node:fs'
import { dirname } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { errorCode, forNewFile, syncAll, syncDirectory, unlinkIfThere } from '../disk/file-calls.ts'
import type { SmallFile, SmallFilesResponse, SmallFilesRequest } from './small-files-thread.ts'

const port = parentPort
if (port === null) throw new Error('the worker for small files must be started as a worker thread')

let responses: SmallFilesResponse[number][] = []

port.on('message', (request: SmallFilesRequest) => {
  for (const [number, file] of request) void storeAndRespond(number, file)
})

/** One message carries all responses of an iteration of the event loop. */
async function storeAndRespond(number: number, file: SmallFile): Promise<void> {
  let failure: SmallFilesResponse[number][1] = null
  try {
    await store(file)
  } catch (error) {
    failure = { message: error instanceof Error ? error.message : String(error), code: errorCode(error) }
  }
  if (responses.length === 0) setImmediate(sendResponses)
  responses.push([number, failure])
}

function sendResponses(): void {
  port?.postMessage(responses)
  responses = []
}

/** Only the sync runs on the thread pool: it takes long, and concurrent syncs share one flush of the disk. */
async function store({ part, path, bytes, fsync }: SmallFile): Promise<void> {
  // Only the writer that created the file removes it: a file of another writer stays.
  const file = fs.openSync(part, forNewFile, 0o600)
  let place = part
  try {
    try {
      write(file, bytes)
      fs.renameSync(part, path)
      place = path
      // After the rename, and concurrently, so that one journal entry of the file system covers bytes and name.
      if (fsync) await Promise.all([syncAll(file), syncDirectory(dirname(path))])
    } finally {
      fs.closeSync(file)
    }
  } catch (error) {
    // If this removal fails, cleanup removes the key later: the first error counts.
    await unlinkIfThere(place).catch(() => undefined)
    throw error
  }
}

function write(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) written += fs.writeSync(file, bytes, written)
}
