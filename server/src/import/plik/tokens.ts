import type { Line } from '../../export/record-lines.ts'
import { textOf } from '../rows.ts'
import { addAll, problemIn, type ImportRun } from '../run.ts'
import { tokenOf, userIdOf } from './accounts.ts'
import type { PlikDatabase } from './database.ts'

export async function importTokens(
  { target, report, findings, now }: ImportRun,
  { tokens }: PlikDatabase,
  users: ReadonlySet<string>,
): Promise<void> {
  for await (const rows of tokens()) {
    const lines: Line<'token'>[] = []
    for (const row of rows) {
      const sourceId = textOf(row, 'user_id')
      const userId = userIdOf(sourceId)
      const shown = `${textOf(row, 'token').slice(0, 9)}…`
      if (userId === null || !users.has(userId)) {
        findings.add({
          kind: 'orphan',
          sourceId,
          file: null,
          detail: `the token ${shown} belongs to no imported user`,
        })
        continue
      }
      const fields = tokenOf(row, userId, now)
      const problem =
        fields === null ? 'its format is unknown' : problemIn({ number: 0, kind: 'token', fields })
      if (fields === null || problem !== null)
        findings.add({
          kind: 'refused',
          sourceId,
          file: null,
          detail: `the token ${shown}: ${problem ?? ''}`,
        })
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
