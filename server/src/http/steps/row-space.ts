import type { RequestContext } from './chain.ts'

/** Refuses requests that add rows when the disk of the database has only its reserve left. */
export async function requireRowSpace({ service }: RequestContext): Promise<object> {
  await service.rowSpace.require()
  return {}
}

/** Refuses logins only when the last share of that reserve is left. */
export async function requireLoginSpace({ service }: RequestContext): Promise<object> {
  await service.rowSpace.requireForLogin()
  return {}
}
