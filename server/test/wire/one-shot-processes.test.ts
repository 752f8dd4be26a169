import { Agent } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../support/ask.ts'
import { randomBytes, storeUpload } from '../support/stored-upload.ts'
import { emptyDirectory, removeDirectory, startSvcd, type Svcd } from '../support/svcd.ts'

const rounds = 100
const contenders = 200

let directory: string
let servers: [Svcd, Svcd]
const agents = [1, 2].map(() => new Agent({ keepAlive: true, maxSockets: contenders / 2 }))

beforeAll(async () => {
  directory = await emptyDirectory()
  servers = [
    await startSvcd(directory, { LOG_LEVEL: 'error' }),
    await startSvcd(directory, { LOG_LEVEL: 'error' }),
  ]
})
afterAll(async () => {
  for (const agent of agents) agent.destroy()
  for (const server of servers) server.kill('SIGTERM')
  await Promise.all(servers.map(({ ended }) => ended))
  await removeDirectory(directory)
})

test('of 200 downloads over two processes on one database exactly one gets the file, a hundred times', async () => {
  const winners: number[] = []
  const others = new Set<number>()
  for (let round = 0; round < rounds; round++) {
    const bytes = randomBytes(20_000)
    const { path } = await storeUpload(servers[0], bytes, { oneShot: true })
    const answers = await Promise.all(
      Array.from({ length: contenders }, async (_, index) => {
        const side = index % 2
        return ask(servers[side as 0 | 1].url, path, { agent: agents[side] ?? new Agent() })
      }),
    )
    const served = answers.filter(({ status }) => status === 200)
    expect(served.map(({ body }) => body.equals(bytes))).toEqual([true])
    winners.push(answers.findIndex(({ status }) => status === 200) % 2)
    for (const { status } of answers) if (status !== 200) others.add(status)
  }
  expect([404, 409]).toEqual(expect.arrayContaining([...others]))
  expect(winners).toHaveLength(rounds)
})
