import { isId } from '../../domain/ids.ts'
import type { Findings } from '../findings.ts'
import { integerOf, textOf, timeOf, type Row } from '../rows.ts'
import type { SourceFile, SourceUpload } from '../source.ts'
import { userIdOf } from './accounts.ts'
import type { OpenPlikFile } from './content.ts'
import type { UploadPage } from './database.ts'
import { endOf, fileOf, uploadOf } from './uploads.ts'

export interface PageContext {
  /** The ids of the users that exist. */
  readonly users: ReadonlySet<string>
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly openFile: OpenPlikFile
}

/** The uploads of a page. Their ids stay the same, so their links do, too. */
export const uploadsOf = ({ uploads, filesOf }: UploadPage, context: PageContext): readonly SourceUpload[] =>
  uploads.map((row) => sourceUpload(row, filesOf.get(textOf(row, 'id')) ?? [], context))

export function reportOrphans({ uploads, filesOf }: UploadPage, findings: Findings): void {
  const found = new Set(uploads.map((row) => textOf(row, 'id')))
  for (const [uploadId, files] of filesOf) {
    if (found.has(uploadId)) continue
    for (const file of files)
      findings.add({
        kind: 'orphan',
        sourceId: uploadId,
        file: textOf(file, 'id'),
        detail: 'the upload of the file does not exist',
      })
  }
}

function sourceUpload(row: Row, files: readonly Row[], { users, now, openFile }: PageContext): SourceUpload {
  const id = textOf(row, 'id')
  return {
    id,
    sourceId: id,
    end: endOf(row, now),
    refusal: null,
    files: files.toSorted(byTime).map((file) => sourceFile(file, id, { now, openFile })),
    redirects: [],
    fields(context) {
      const owner = textOf(row, 'user')
      const userId = userIdOf(owner)
      const isOwned = userId !== null && users.has(userId)
      if (owner !== '' && !isOwned)
        context.onChange(`its owner ${owner} does not exist: it has no owner here`)
      return uploadOf(row, { userId: isOwned ? userId : null, now }, context)
    },
  }
}

function byTime(a: Row, b: Row): number {
  const difference = (timeOf(a, 'created_at') ?? 0) - (timeOf(b, 'created_at') ?? 0)
  return difference || (textOf(a, 'id') < textOf(b, 'id') ? -1 : 1)
}

function sourceFile(
  row: Row,
  uploadId: string,
  { now, openFile }: Pick<PageContext, 'now' | 'openFile'>,
): SourceFile {
  const id = textOf(row, 'id')
  const status = textOf(row, 'status')
  const content = {
    open: () => openFile({ id, uploadId }),
    size: integerOf(row, 'size'),
    md5: textOf(row, 'md5'),
    sha1: '',
  }
  return {
    id,
    sourceId: id,
    name: textOf(row, 'name'),
    leftOut: reasonToLeaveOut(id, status),
    content: status === 'uploaded' ? content : null,
    fields: (stored) => fileOf(row, { ...stored, now }),
  }
}

const imported: ReadonlySet<string> = new Set(['missing', 'uploaded', 'removed', 'deleted'])

function reasonToLeaveOut(id: string, status: string): SourceFile['leftOut'] {
  if (!imported.has(status))
    return { kind: 'incomplete', detail: `it had not arrived completely (${status || 'no status'})` }
  return isId(id) ? null : { kind: 'refused', detail: 'its id is not one of Plik' }
}
