import { Agent } from 'node:http'
import type { UploadOptions } from '@svc/contract'
import { expect } from 'vitest'
import { sendRequest } from '../support/clients/send-request.ts'
import { randomBytes, storeUpload } from '../support/clients/stored-upload.ts'
import type { Svcd } from '../support/servers/svcd.ts'

export interface Race {
  readonly rounds: number
  /** Of the uploads. */
  readonly options?: UploadOptions
  /** The number of downloads that must get the file. */
  readonly allowed?: number
  /** The number of downloads of a round. */
  readonly contenders?: number
}

/** Two processes on one database, and several rounds of parallel downloads over both of the same file, by default a one-shot file. */
export async function raceForDownloads(
  servers: readonly [Svcd, Svcd],
  { rounds, options = { oneShot: true }, allowed = 1, contenders = 200 }: Race,
): Promise<void> {
  const agents = servers.map(() => new Agent({ keepAlive: true, maxSockets: contenders / 2 }))
  const others = new Set<number>()
  for (let round = 0; round < rounds; round++) {
    const bytes = randomBytes(20_000)
    const { path } = await storeUpload(servers[0], bytes, options)
    const responses = await Promise.all(
      Array.from({ length: contenders }, async (_, index) => {
        const side = index % 2
        return sendRequest(servers[side as 0 | 1].url, path, { agent: agents[side] ?? new Agent() })
      }),
    )
    const served = responses.filter(({ status }) => status === 200)
    expect(served.map(({ body }) => body.equals(bytes))).toEqual(Array.from({ length: allowed }, () => true))
    for (const { status } of responses) if (status !== 200) others.add(status)
  }
  for (const agent of agents) agent.destroy()
  expect([404, 409]).toEqual(expect.arrayContaining([...others]))
}
