import { afterEach, expect, test } from 'vitest'
import { readSamples } from '../metrics/samples.ts'
import { sendRequest } from '../support/clients/send-request.ts'
import { freePort } from '../../../scripts/test-servers/free-ports.ts'
import { manualMachine } from '../support/clocks/manual-machine.ts'
import { fileStatuses } from '../support/servers/server-data.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'

const hour = 3_600_000

let server: TestServer
afterEach(() => server.close())

test('a change of the clock is logged, and for two minutes nothing is deleted by it', async () => {
  const clock = manualMachine()
  const port = await freePort()
  const metrics = { address: '127.0.0.1', port }
  server = await startTestServer({ clock, config: { metrics, cleaningInterval: 1 } })
  const listener = `http://127.0.0.1:${String(port)}`
  const suspended = async () => (await readSamples(listener)).sum('svcd_cleaning_suspended')
  const cleanups = async () => (await readSamples(listener)).sum('svcd_cleaning_duration_seconds_count')
  await storeUpload(server, 'x', { ttl: 1_800 })
  clock.advance(1_000)
  await until('a cleanup runs', async () => (await cleanups()) === 1)
  expect([await suspended(), (await sendRequest(listener, '/ready')).text]).toEqual([0, 'ok'])

  clock.set(hour)
  const { all } = await readSamples(listener)
  expect(all.find(({ name }) => name === 'svcd_clock_offset_seconds')?.value).toBe(3_600)
  for (let passed = 0; passed < 119; passed += 1) clock.advance(1_000)
  expect([await suspended(), await cleanups(), fileStatuses(server)]).toEqual([1, 1, ['uploaded']])
  for (const url of [listener, server.url])
    expect((await sendRequest(url, '/ready')).text).toMatch(/^ok\nclock_wrong: .+$/)

  // By then the time is accepted: any other instance on the database would have contradicted it.
  clock.advance(2_000)
  await until('it cleans again', async () => {
    clock.advance(1_000)
    return (await cleanups()) > 1 && fileStatuses(server).includes('deleted')
  })
  expect([await suspended(), (await sendRequest(listener, '/ready')).text]).toEqual([0, 'ok'])
})
