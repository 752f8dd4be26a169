import { execFileSync } from 'node:child_process'
import { Agent } from 'node:http'
import { expect } from 'vitest'
import { sendRequest } from '../support/clients/send-request.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../support/servers/svcd.ts'
import { until } from '../support/until.ts'
import { testUnless } from '../../../scripts/tests/needs.ts'
import { linuxSkipReason } from '../../../scripts/tests/programs.ts'

const logged = (server: Svcd) =>
  server
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { readonly pid: number; readonly reason?: string })

testUnless(
  linuxSkipReason,
  'a server that cannot open more files rejects requests for now, logs what to do, and continues',
  async () => {
    const directory = await emptyDirectory()
    const server = await startSvcd(directory)
    // Its connection is open already when nothing more may be.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const put = () => sendRequest(server.url, '/name', { method: 'PUT', body: 'content', agent })
    const pid = await until('it has logged a line', () => logged(server)[0]?.pid)
    const mayOpen = (files: string) => execFileSync('prlimit', ['--pid', String(pid), `--nofile=${files}:`])
    try {
      const { text } = await put()
      const get = () => sendRequest(server.url, new URL(text.trim()).pathname, { agent })
      mayOpen('4')
      expect([(await put()).status, (await get()).status]).toEqual([503, 503])
      await until('it logs what to do', () =>
        logged(server).some(({ reason }) => reason?.includes('raise the limit (ulimit -n') === true),
      )
      mayOpen('1024')
      expect([(await put()).status, (await get()).text]).toEqual([200, 'content'])
    } finally {
      agent.destroy()
      server.kill('SIGKILL')
      await server.ended
    }
  },
)
