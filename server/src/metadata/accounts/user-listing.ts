import { sql } from 'kysely'
import type { Provider } from '@svc/contract'
import type { UserRecord } from '../../domain/records.ts'
import type { Capabilities } from '../dialects/dialect.ts'
import { countRows, pageOf, type PageOf, type PageQuery } from '../query/page.ts'
import type { Db } from '../query/prepared.ts'

/** Restricts a listing of users. An absent member does not restrict it. */
export interface UserFilter {
  readonly provider?: Provider | undefined
  readonly admin?: boolean | undefined
}

/** A page of the users, ordered by date. */
export function userPage(db: Db, filter: UserFilter, query: PageQuery): Promise<PageOf<UserRecord>> {
  const matching = filteredUsers(db, filter)
  return pageOf(
    query,
    { sort: 'createdAt', id: 'id' },
    {
      rows: (applyPage) => applyPage(matching.selectAll()).execute(),
      count: (atMost) => countRows(db, matching, 'users.id', atMost),
    },
  )
}

/** Users whose login, name or email address contains a text, ignoring case. */
export function searchUsers(
  db: Db,
  { caseCollation }: Pick<Capabilities, 'caseCollation'>,
  text: string,
  filter: UserFilter,
  limit: number,
): Promise<UserRecord[]> {
  // `%` and `_` in the text are not wildcards.
  const pattern = `%${text.replace(/[!%_]/g, '!$&')}%`
  const collated = caseCollation === null ? sql`` : sql.raw(` collate ${caseCollation}`)
  return filteredUsers(db, filter)
    .selectAll()
    .where((eb) =>
      eb.or(
        (['login', 'name', 'email'] as const).map(
          (column) =>
            sql<boolean>`lower(${sql.ref(column)}${collated}) like lower(${pattern}${collated}) escape '!'`,
        ),
      ),
    )
    .orderBy('login')
    .orderBy('id')
    .limit(limit)
    .execute()
}

function filteredUsers(db: Db, { provider, admin }: UserFilter) {
  let users = db.selectFrom('users').where('removedAt', 'is', null)
  if (provider !== undefined) users = users.where('provider', '=', provider)
  if (admin !== undefined) users = users.where('admin', '=', admin ? 1 : 0)
  return users
}
