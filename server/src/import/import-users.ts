import { problemInUser } from '../export/api-checks.ts'
import type { Line } from '../export/record-lines.ts'
import { addAll, problemIn, type ImportRun } from './run.ts'
import type { SourceUser } from './source.ts'

/**
 * Imports users in one transaction for each page.
 * @returns the ids of the users that exist afterwards
 */
export async function importUsers(
  { target, report, findings }: ImportRun,
  pages: AsyncIterable<readonly SourceUser[]>,
): Promise<ReadonlySet<string>> {
  const users = new Set<string>()
  for await (const page of pages) {
    const lines: Line<'user'>[] = []
    const known = await target.known.users(page.map(({ user }) => (typeof user === 'string' ? '' : user.id)))
    for (const { sourceId, user } of page) {
      const problem =
        typeof user === 'string'
          ? user
          : (problemIn({ number: 0, kind: 'user', fields: user }) ?? problemInUser(user))
      if (typeof user === 'string' || problem !== null) {
        findings.add({ kind: 'refused', sourceId, file: null, detail: problem ?? '' })
        continue
      }
      users.add(user.id)
      if (known.has(user.id)) {
        report.skipped.user += 1
        continue
      }
      if (user.provider === 'local' && user.passwordHash === null)
        findings.add({
          kind: 'new password',
          sourceId: user.id,
          file: null,
          detail: `svcd user update ${user.login} --password`,
        })
      lines.push({ number: 0, kind: 'user', fields: user })
    }
    await addAll(report, target, lines)
  }
  return users
}
