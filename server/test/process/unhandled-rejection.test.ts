import { expect, test } from 'vitest'
import { emptyDirectory, startSvcd } from '../support/servers/svcd.ts'
import { until } from '../support/until.ts'

/** Fails like a defect would, in the middle of the server. */
const defect = 'process.on("SIGUSR2",()=>{Promise.reject(new Error("stray"))})'

test('an unhandled rejection is logged, and the server continues', async () => {
  const directory = await emptyDirectory()
  const server = await startSvcd(
    directory,
    {},
    { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(defect)}` },
  )
  try {
    server.kill('SIGUSR2')
    const line = await until('it is logged', () =>
      server
        .log()
        .split('\n')
        .find((text) => text.includes('stray')),
    )
    expect(JSON.parse(line)).toMatchObject({ level: 50, err: { message: 'stray' } })
    await server.client.health()
  } finally {
    server.kill('SIGKILL')
    await server.ended
  }
})
