import type { RequestContext } from '../chain/chain.ts'

/** Refuses what would write a row where the disk of the database has nothing left but its reserve. */
export async function requireRowSpace({ service }: RequestContext): Promise<object> {
  await service.rowSpace.require()
  return {}
}
