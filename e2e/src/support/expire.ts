import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { StartedServer } from './server.ts'

/** Makes an upload expire at once, so that no test waits for its expiry or races against it. */
export function expire({ folder }: StartedServer, uploadID: string): void {
  using database = new DatabaseSync(path.join(folder, 'svc.db'), { timeout: 15_000 })
  database.prepare('update uploads set "expireAt" = ? where id = ?').run(Date.now() - 1, uploadID)
}
