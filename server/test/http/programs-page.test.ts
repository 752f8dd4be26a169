import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect } from 'vitest'
import { testWith } from '../../../scripts/tests/needs.ts'
import { sendRequest } from '../support/clients/send-request.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'

const page = join(import.meta.dirname, '../../../docs/programs.md')

/** The only example of the page in a language. */
async function example(language: string): Promise<string> {
  const [, code] = (await readFile(page, 'utf8')).split(`\n\`\`\`${language}\n`)
  if (code === undefined) throw new Error(`${page} has no example in ${language}`)
  return code.split('\n```\n')[0] ?? ''
}

let server: TestServer
let directory: string
beforeEach(async () => {
  server = await startTestServer({ features: { feature_authentication: 'enabled' } })
  directory = await emptyDirectory()
})
afterEach(async () => {
  await server.close()
})

const run = promisify(execFile)

/** Sends a file with a program, and expects what the page promises of it. */
async function sends(
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<void> {
  const file = join(directory, 'a report.txt')
  await writeFile(file, 'figures')
  const env = { ...process.env, ...environment, SVC_URL: server.url }
  const { stdout } = await run(program, [...args, file], { env, cwd: directory })
  const [link = '', end] = stdout.split('\n')
  const { pathname } = new URL(link)
  expect(pathname).toMatch(/^\/file\/\w{16}\/\w{16}\/a%20report\.txt$/)
  expect(end).toBe('7 bytes were sent, verified and removed')
  expect((await sendRequest(server.url, pathname)).status).toBe(404)
}

testWith(['python3'], 'the example in Python sends, verifies and removes a file', async () => {
  const program = join(directory, 'example.py')
  await writeFile(program, await example('python'))
  await sends('python3', [program])
  // What the server refuses ends the program with the reason.
  await expect(sends('python3', [program], { SVC_TOKEN: 'svct_unknown' })).rejects.toThrow(/403 .*token/)
})

testWith(['golang-go'], 'the example in Go sends, verifies and removes a file', async () => {
  const program = join(directory, 'example.go')
  await writeFile(program, await example('go'))
  const built = join(directory, 'example')
  await run('go', ['build', '-o', built, program])
  await sends(built, [])
  await expect(sends(built, [], { SVC_TOKEN: 'svct_unknown' })).rejects.toThrow(/403 .*token/)
})
