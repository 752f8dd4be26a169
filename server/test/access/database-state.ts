import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Scene } from './actors.ts'

/** Everything in the database that a request could change, except times of last use. */
const everything = `
  select json_group_array(json_array(kind, a, b, c, d)) as found from (
    select 'user' as kind, id as a, json_array(provider, issuer, accountId, login, name, email, passwordHash, theme, language) as b,
      admin as c, json_array(maxFileSize, maxUserSize, maxTTL) as d from users
    union all select 'session', id, userId, address, expireAt from sessions
    union all select 'token', id, userId, comment, expireAt from tokens
    union all select 'login', code, userId, comment, expireAt from cliLogins
    union all select 'uploads', null, null, null, count(*) from uploads
    union all select 'upload', id, userId, fileCount, deletedAt from uploads where id = :upload
    union all select 'file', id, fileName, status, md5 from files where uploadId = :upload
    order by 1, 2)`

/** The columns that only admins may change: one line for each user. */
const rightsOfUsers = `
  select json_array(id, admin, maxFileSize, maxUserSize, maxTTL) as found from users`

export interface Keeper {
  /** The stored state now. */
  read(scene: Scene): unknown
  /** The rights of each user, one text for each. */
  rights(): Set<unknown>
  close(): void
}

/** Reads the database of a server on a separate connection. */
export function openKeeper({ directory }: { readonly directory: string }): Keeper {
  const database = new DatabaseSync(join(directory, 'svc.db'), { readOnly: true, timeout: 5_000 })
  const query = database.prepare(everything)
  const rights = database.prepare(rightsOfUsers)
  return {
    read: ({ upload }) => query.get({ upload: upload.id })?.['found'],
    rights: () => new Set(rights.all().map(({ found }) => found)),
    close: () => {
      database.close()
    },
  }
}
