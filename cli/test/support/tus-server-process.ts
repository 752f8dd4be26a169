/** The server of tus as a process: `node tus-server-process.ts PORT DIRECTORY`. */
import { createServer } from 'node:http'
import { argv } from 'node:process'
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'

// A body that is cut just at its end is closed twice, which its library does not catch. The connection is gone anyway.
process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ERR_INVALID_STATE') throw error
})

const [, , port = '', directory = ''] = argv
const tus = new Server({ path: '/files', datastore: new FileStore({ directory }) })
createServer((request, response) => void tus.handle(request, response)).listen(Number(port), '127.0.0.1')
