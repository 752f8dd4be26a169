import fs from 'node:fs'
import { dirname } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { errorCode, forNewFile, syncAll, syncDirectory, unlinkIfThere } from './file-calls.ts'
import type { SmallFile, SmallFilesAnswer, SmallFilesRequest } from './small-files-thread.ts'

const port = parentPort
if (port === null) throw new Error('the worker for small files must be started as a worker thread')

let answers: SmallFilesAnswer[number][] = []

port.on('message', (request: SmallFilesRequest) => {
  for (const [number, file] of request) void storeAndAnswer(number, file)
})

/** What is done with in one turn is answered by one message. */
async function storeAndAnswer(number: number, file: SmallFile): Promise<void> {
  let failure: SmallFilesAnswer[number][1] = null
  try {
    await store(file)
  } catch (error) {
    failure = { message: error instanceof Error ? error.message : String(error), code: errorCode(error) }
  }
  if (answers.length === 0) setImmediate(answerAll)
  answers.push([number, failure])
}

function answerAll(): void {
  port?.postMessage(answers)
  answers = []
}

/** Only the flush is left to the threads of the file system: it takes long, and several share one of the disk. */
async function store({ part, path, bytes, fsync }: SmallFile): Promise<void> {
  // Whoever made the file removes it: what another writer of this key made stays untouched.
  const file = fs.openSync(part, forNewFile, 0o600)
  let place = part
  try {
    try {
      write(file, bytes)
      fs.renameSync(part, path)
      place = path
      // After the renaming and together: one journal entry of the file system then has bytes and name.
      if (fsync) await Promise.all([syncAll(file), syncDirectory(dirname(path))])
    } finally {
      fs.closeSync(file)
    }
  } catch (error) {
    // What cannot be removed now goes with its key later: the first error counts.
    await unlinkIfThere(place).catch(() => undefined)
    throw error
  }
}

function write(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) written += fs.writeSync(file, bytes, written)
}
