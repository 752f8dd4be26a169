import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeUnless } from '../../scripts/tests/needs.ts'
import { otherRuntimes } from '../../scripts/tests/runtimes/runtimes.ts'
import { temporaryDirectory } from '../../server/test/support/machine/temporary-directory.ts'
import { startFaultyProxy } from '../../server/test/support/servers/faulty-proxy.ts'
import { startTestServer, type TestServer } from '../../server/test/support/servers/test-server.ts'
import { readmeExamples } from './readme-examples.ts'

const run = promisify(execFile)
const film = randomBytes(20_000_000)

const open: (() => Promise<void>)[] = []
let server: TestServer
/** A project with the code of the package. */
let project: string
/** Writes the package without its declarations, which take longer than all of these tests. */
async function writePackage(directory: string): Promise<void> {
  const input = join(import.meta.dirname, '../src/index.ts')
  const treeshake = { moduleSideEffects: false }
  const bundle = await rolldown({ input, platform: 'neutral', logLevel: 'warn', treeshake })
  await bundle.write({ dir: directory, format: 'esm', codeSplitting: false })
  await bundle.close()
  await writeFile(join(directory, 'package.json'), '{ "type": "module", "exports": "./index.js" }')
}

beforeAll(async () => {
  if (otherRuntimes.every(({ skipReason }) => skipReason !== null)) return
  server = await startTestServer()
  open.push(() => server.close())
  project = await temporaryDirectory()
  await writePackage(join(project, 'node_modules/@svc/sdk'))
  await writeFile(join(project, 'package.json'), '{ "type": "module", "private": true }')
  await writeFile(join(project, 'film.mkv'), film)
  await writeFile(join(project, 'one.txt'), 'one')
  await writeFile(join(project, 'two.txt'), 'two')
})
afterAll(async () => {
  for (const close of open.splice(0)) await close()
})

/** Sends a file whose connections are cut, and one that is aborted. */
const cutProgram = `
import { openAsBlob } from 'node:fs'
import { createClient } from '@svc/sdk'

const client = createClient({ baseURL: 'PROXY', wait: () => Promise.resolve() })
const { id, uploadToken } = await client.createUpload()
const film = await openAsBlob('film.mkv')
for (const parallel of [1, 4]) {
  const resumable = { threshold: 0, parallel, onInterruption: ({ code }) => console.log(code) }
  const { md5 } = await client.addFile(id, film, { fileName: 'film.mkv', uploadToken, resumable })
  console.log(md5)
}
const stop = new AbortController()
const onProgress = ({ sent }) => sent > 0 && stop.abort(new Error('not that one'))
const options = { fileName: 'film.mkv', uploadToken, signal: stop.signal, onProgress }
await client.addFile(id, film, options).catch(({ message }) => console.log(message))
`

const sizesProgram = `
import { openAsBlob } from 'node:fs'
import { createClient } from '@svc/sdk'

const client = createClient({ baseURL: 'PROXY' })
const { id, uploadToken } = await client.createUpload()
const film = await openAsBlob('film.mkv')
await client.addFile(id, film, { fileName: 'film.mkv', uploadToken })
await client.addFile(id, film.slice(0, 20_000), { fileName: 'small', uploadToken })
`

for (const { name, command: [program = '', ...args] = [], skipReason } of otherRuntimes)
  describeUnless(skipReason, `the SDK in ${name}`, () => {
    const runProgram = async (file: string, code: string) => {
      await writeFile(join(project, file), code)
      const { stdout } = await run(program, [...args, file], { cwd: project })
      return stdout.trim().split('\n')
    }

    test('runs the examples of the README', async () => {
      const { id, uploadToken = '' } = await server.client.createUpload()
      const values = { 'https://svc.example': server.url, UPLOAD_ID: id, UPLOAD_TOKEN: uploadToken }
      const examples = await readmeExamples(values)
      const runExample = (heading: string) =>
        runProgram('example.ts', examples.find((example) => example.heading === heading)?.code ?? '')
      expect((await runExample('Send a file')).at(-1)).toMatch(`${server.url}/#/?id=`)
      const states = ['one.txt sent', 'two.txt cancelled', 'film.mkv sent']
      expect((await runExample('Send many files')).slice(-3)).toEqual(states)
      await runExample('Resume after the program ended')
      expect(await runExample('Download, verified')).toEqual(['film.mkv: 20000000 bytes'])
      expect((await readFile(join(project, 'got film.mkv'))).equals(film)).toBe(true)
      await rm(join(project, 'got film.mkv'))
      expect(await runExample('Errors')).toEqual(['it is gone'])
      expect((await runExample('Smaller bundles')).join()).toMatch(/^\d+ \d+$/)
      expect((await runExample('Ask others for files')).join('\n')).toContain('report.txt')
    })

    test('resumes what was cut, on one connection and several, and stops what is aborted', async () => {
      const proxy = await startFaultyProxy(server.url)
      const fault = { kind: 'cut-request', after: 3_000_000 } as const
      proxy.fail(fault, { when: /^PATCH/, times: 2 })
      proxy.fail(fault, { when: /^PATCH/, skip: 1, times: 2 })
      const printed = await runProgram('cut.ts', cutProgram.replace('PROXY', proxy.url))
      await proxy.close()
      const whole = createHash('md5').update(film).digest('hex')
      expect(printed).toEqual(['network', 'network', whole, 'network', 'network', whole, 'not that one'])
      expect(proxy.requests.filter((request) => request.startsWith('OPTIONS'))).toHaveLength(1)
    })

    test('states the size of a file', async () => {
      const proxy = await startFaultyProxy(server.url)
      const begun = proxy.seen(/^POST \/tus/)
      const form = proxy.seen(/^POST \/file/)
      await runProgram('sizes.ts', sizesProgram.replace('PROXY', proxy.url))
      await proxy.close()
      expect(await begun).toMatchObject({ 'upload-length': String(film.length) })
      expect(Number((await form)['content-length'])).toBeGreaterThan(20_000)
    })
  })
