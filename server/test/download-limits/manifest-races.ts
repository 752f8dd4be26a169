import { Agent } from 'node:http'
import { expect } from 'vitest'
import { sendRequest } from '../support/clients/send-request.ts'
import { storeManifested } from '../support/clients/manifested-upload.ts'
import { until } from '../support/until.ts'
import type { Svcd } from '../support/servers/svcd.ts'

/** The downloads of each file that are attempted for each that is allowed. */
const contenders = 3

/**
 * Two processes on one database, and several rounds of parallel downloads over both of all files of an encrypted upload, while others
 * read its manifest.
 * @param allowed downloads of each file
 */
export async function raceForManifests(
  servers: readonly [Svcd, Svcd],
  { rounds, allowed }: { readonly rounds: number; readonly allowed: number },
): Promise<void> {
  const [first] = servers
  const agents = servers.map(() => new Agent({ keepAlive: true, maxSockets: 50 }))
  const get = (path: string, index: number) => {
    const side = (index % 2) as 0 | 1
    return sendRequest(servers[side].url, path, { agent: agents[side] ?? new Agent() })
  }
  const statusesOf = (path: string) =>
    Promise.all(
      Array.from({ length: contenders * allowed }, async (_, index) => (await get(path, index)).status),
    )
  for (let round = 0; round < rounds; round++) {
    const { upload, files, manifest } = await storeManifested(first, ['a', 'b'], { maxDownloads: allowed })
    const [read, ...downloaded] = await Promise.all([manifest, ...files].map(({ path }) => statusesOf(path)))
    expect([200, 404]).toEqual(expect.arrayContaining([...new Set(read)]))
    for (const statuses of downloaded)
      expect(statuses.filter((status) => status === 200)).toHaveLength(allowed)
    await until('nothing stays', async () => {
      const now = await first.client.upload(upload.id)
      return now.files.every(({ status }) => status === 'removed')
    })
    expect((await get(manifest.path, 1)).status).toBe(404)
  }
  for (const agent of agents) agent.destroy()
}
