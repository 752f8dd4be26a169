import type { Line } from '../../export/record-lines.ts'
import { tokenOf, userIdOf, userOf } from './accounts.ts'
import { textOf } from './rows.ts'
import { addAll, problemIn, type PlikImport } from './run.ts'

/** @returns the ids of the users that exist afterwards */
export async function importUsers({
  source,
  target,
  report,
  findings,
  now,
}: PlikImport): Promise<ReadonlySet<string>> {
  const users = new Set<string>()
  for await (const rows of source.users()) {
    const lines: Line<'user'>[] = []
    const known = await target.known.users(rows.map((row) => userIdOf(textOf(row, 'id')) ?? ''))
    for (const row of rows) {
      const of = textOf(row, 'id')
      const fields = userOf(row, now)
      const problem =
        fields === null ? 'its provider is unknown' : problemIn({ number: 0, kind: 'user', fields })
      if (fields === null || problem !== null) {
        findings.add({ kind: 'refused', of, file: null, detail: problem ?? '' })
        continue
      }
      users.add(fields.id)
      if (known.has(fields.id)) {
        report.skipped.user += 1
        continue
      }
      if (fields.provider === 'local' && fields.passwordHash === null)
        findings.add({
          kind: 'new password',
          of: fields.id,
          file: null,
          detail: `svcd user update ${fields.login} --password`,
        })
      lines.push({ number: 0, kind: 'user', fields })
    }
    await addAll(report, target, lines)
  }
  return users
}

export async function importTokens(
  { source, target, report, findings, now }: PlikImport,
  users: ReadonlySet<string>,
): Promise<void> {
  for await (const rows of source.tokens()) {
    const lines: Line<'token'>[] = []
    for (const row of rows) {
      const of = textOf(row, 'user_id')
      const userId = userIdOf(of)
      const shown = `${textOf(row, 'token').slice(0, 9)}…`
      if (userId === null || !users.has(userId)) {
        findings.add({
          kind: 'orphan',
          of,
          file: null,
          detail: `the token ${shown} belongs to no imported user`,
        })
        continue
      }
      const fields = tokenOf(row, userId, now)
      const problem =
        fields === null ? 'its format is unknown' : problemIn({ number: 0, kind: 'token', fields })
      if (fields === null || problem !== null)
        findings.add({ kind: 'refused', of, file: null, detail: `the token ${shown}: ${problem ?? ''}` })
      else lines.push({ number: 0, kind: 'token', fields })
    }
    const known = await target.known.tokens(lines.map(({ fields }) => fields.id))
    report.skipped.token += known.size
    await addAll(
      report,
      target,
      lines.filter(({ fields }) => !known.has(fields.id)),
    )
  }
}
