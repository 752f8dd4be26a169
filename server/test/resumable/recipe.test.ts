import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomBytes } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { md5 } from './tus.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'

const documentation = resolve(import.meta.dirname, '../../../docs/resumable.md')

let server: TestServer
let directory: string
beforeAll(async () => {
  server = await startTestServer()
  directory = await temporaryDirectory()
})
afterAll(async () => {
  await server.close()
})

test('the recipe for curl in the documentation uploads a file, and resumes after a cut', async () => {
  const written = await readFile(documentation, 'utf8')
  const recipe = /^```sh\n(url=.*?)^```$/ms.exec(written)?.[1] ?? ''
  const [begin = '', resumeCommand = ''] = recipe.split(/^(?=# 2\.)/m)
  const bytes = randomBytes(3_000_000)
  await writeFile(join(directory, 'backup.tar'), bytes)
  const script = [
    begin.replace('https://svc.example', server.url),
    // A connection that is cut in the middle.
    `head -c 1000000 backup.tar | tus -X PATCH $file -T - \\
      -H 'Content-Type: application/offset+octet-stream' -H 'Upload-Offset: 0'`,
    resumeCommand,
    'echo $id',
  ]
  // Without --norc, bash takes a standard input that is a socket for a remote login, and reads the
  // configuration of the system.
  const run = promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script.join('\n')], {
    cwd: directory,
  })
  const { stdout } = await run
  const { files } = await server.client.upload(stdout.trim())
  expect(files).toMatchObject([{ fileName: 'backup.tar', status: 'uploaded', md5: md5(bytes) }])
})
