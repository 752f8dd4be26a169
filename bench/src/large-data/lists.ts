import { generatedUser } from '../../../scripts/many-uploads.ts'
import type { Account } from '../account.ts'
import type { Row } from '../results/rows.ts'
import type { ServerProcess } from '../processes/server-process.ts'
import { pageTime } from './page-time.ts'

const flags = ['oneShot', 'removable', 'stream', 'extendTTL', 'password', 'e2ee']
const ofUploads = flags.flatMap((name) => [`${name}=true`, `${name}=false`])
const ofUsers = ['provider=local', 'provider=oidc', 'admin=true', 'admin=false']

const maxListMs = 20
const maxStatsMs = 10

interface People {
  readonly admin: Account
  /** The user with a tenth of all uploads. */
  readonly heavy: Account
}

/** Milliseconds for lists and statistics of a large database, including the slowest filter of each list. */
export async function listRows(
  { url }: ServerProcess,
  { admin, heavy }: People,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const timeOf = (path: string, account: Account) => pageTime(`${url}${path}`, account, signal)
  const rows: Row[] = []
  const add = (what: string, value: number, atMost: number) =>
    rows.push({ kind: 'measurement', what, unit: 'ms', value, atMost })
  const addList = async (path: string, filters: readonly string[], who: Account) => {
    add(`\`/${path}\``, await timeOf(path, who), maxListMs)
    let slowest = { filter: '', measurement: 0 }
    for (const filter of filters) {
      const measurement = await timeOf(`${path}?${filter}`, who)
      if (measurement > slowest.measurement) slowest = { filter, measurement }
    }
    add(
      `\`/${path}\`, the slowest of ${String(filters.length)} filters (\`${slowest.filter}\`)`,
      slowest.measurement,
      maxListMs,
    )
  }
  const ofHeavy = `user=${encodeURIComponent(generatedUser(0))}`
  await addList('uploads', [...ofUploads, 'sort=size', 'order=asc', ofHeavy], admin)
  await addList('users', [...ofUsers, 'order=asc'], admin)
  await addList('me/uploads', [...ofUploads, 'sort=size', 'order=asc'], heavy)
  add('`/stats`', await timeOf('stats', admin), maxStatsMs)
  add('`/me/stats` of the user with a tenth of all', await timeOf('me/stats', heavy), maxStatsMs)
  return rows
}
