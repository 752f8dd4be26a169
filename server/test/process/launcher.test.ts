import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { sendRequest } from '../support/clients/send-request.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { until } from '../support/until.ts'

const launcher = resolve(import.meta.dirname, '../../bin/svcd.mjs')

/** A launcher in a Node that cannot replace its process, as older ones cannot. */
const withoutExecve = 'if (process.argv[1]?.endsWith("svcd.mjs")) process.execve = undefined'

test.each([
  ['takes its place', ''],
  ['is its child', withoutExecve],
])('a server that %s ends with the launcher, however that is killed', async (_how, preload) => {
  const directory = await emptyDirectory()
  await writeFile(join(directory, 'preload.cjs'), preload)
  const child = spawn(process.execPath, ['--require', join(directory, 'preload.cjs'), launcher, 'serve'], {
    cwd: directory,
    env: { PATH: process.env['PATH'], SVCD_LISTEN_PORT: '0', SVCD_MIN_FREE_SPACE_STR: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const url = await until('the server listens', () => /^svcd listens on (.*)\/$/m.exec(output)?.[1])
  expect((await sendRequest(url, '/health')).text).toBe('ok')
  child.kill('SIGKILL')
  await once(child, 'exit')
  await until('no server listens', () =>
    sendRequest(url, '/health').then(
      () => false,
      () => true,
    ),
  )
})
