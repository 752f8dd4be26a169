import { dailyStatKey, type AllTableWrites, type TableWrites } from '../metadata/bulk-tables.ts'
import { noRecords, type Tally } from './export.ts'
import { downloadsOf, sizesOf, uploadOf } from './imported-rows.ts'
import { InvalidLineError } from './lines.ts'
import { notificationFilter, type LocalRules } from './notification-filter.ts'
import type { Line, RecordKind } from './record-lines.ts'

export interface ImportReport {
  readonly added: Tally
  /** Records that existed already, and the files of such uploads. */
  readonly skipped: Tally
  /** Records that this server refuses. */
  readonly refused: Tally
}

/** The kinds of records in messages. */
const names: Readonly<Record<RecordKind, string>> = {
  user: 'user',
  token: 'token',
  request: 'upload request',
  upload: 'upload',
  file: 'file',
  preview: 'preview',
  alias: 'alias',
  download: 'download',
  figure: 'daily stat',
  webhook: 'webhook',
  notification: 'settings of notifications',
}

/** `merge` keeps existing records; with `new` they are an error. */
export type ImportMode = 'new' | 'merge'

/** Adds records to tables in batches, in the order of an export. */
export function recordAdder(tables: AllTableWrites, mode: ImportMode, rules: LocalRules) {
  const report: ImportReport = { added: noRecords(), skipped: noRecords(), refused: noRecords() }
  const notifications = notificationFilter(tables.webhooks, rules)
  /** Existing uploads whose files may still follow. */
  let existingUploads: ReadonlySet<string> = new Set()

  /** The sizes and reservations of all files, and the values of all daily stats: statistics add them up. */
  const totals = { file: 0, figure: 0 }

  const count = (tally: Tally, kind: RecordKind, by: number) => {
    tally[kind] += by
  }

  const addToTotal = ({ kind, number }: Line<keyof typeof totals>, value: number) => {
    totals[kind] += value
    if (totals[kind] > Number.MAX_SAFE_INTEGER)
      throw new InvalidLineError(number, `the total of all ${names[kind]}s up to this one is too large`)
  }

  /** Filters out existing records. */
  const withoutExisting = async <Kind extends RecordKind>(
    lines: readonly Line<Kind>[],
    findKnown: TableWrites<never>['findKnown'],
    keyOf: (line: Line<Kind>) => string,
  ): Promise<Line<Kind>[]> => {
    if (lines.length === 0) return []
    const known = new Set(await findKnown(lines.map(keyOf)))
    return lines.filter((line) => {
      const key = keyOf(line)
      if (!known.has(key)) {
        known.add(key)
        count(report.added, line.kind, 1)
        return true
      }
      if (mode === 'new') throw new InvalidLineError(line.number, `the ${names[line.kind]} already exists`)
      count(report.skipped, line.kind, 1)
      return false
    })
  }

  const checkOwners = async (
    lines: readonly Line<'token' | 'request' | 'upload' | 'webhook' | 'notification'>[],
  ): Promise<void> => {
    const owners = new Set(lines.map(({ fields }) => fields.userId).filter((owner) => owner !== null))
    if (owners.size === 0) return
    const known = await tables.users.findKnown([...owners])
    for (const { number, fields } of lines) {
      if (fields.userId !== null && !known.has(fields.userId))
        throw new InvalidLineError(number, `the user ${fields.userId} does not exist`)
    }
  }

  const addUsers = async (lines: readonly Line<'user'>[]) => {
    const users = await withoutExisting(lines, tables.users.findKnown, ({ fields }) => fields.id)
    await insert(
      tables.users,
      users.map(({ fields }) => ({
        ...fields,
        accountId: fields.accountId ?? null,
        usedSize: 0,
        generation: 0,
        removedAt: null,
      })),
    )
  }

  const addTokens = async (lines: readonly Line<'token'>[]) => {
    const tokens = await withoutExisting(lines, tables.tokens.findKnown, ({ fields }) => fields.id)
    await checkOwners(tokens)
    await insert(
      tables.tokens,
      tokens.map(({ fields }) => fields),
    )
  }

  const addRequests = async (lines: readonly Line<'request'>[]) => {
    const requests = await withoutExisting(lines, tables.requests.findKnown, ({ fields }) => fields.id)
    await checkOwners(requests)
    await insert(
      tables.requests,
      requests.map(({ fields }) => ({
        ...fields,
        wrappedIdentity: fields.wrappedIdentity ?? null,
        passkeyIdentities: fields.passkeyIdentities ?? null,
        removedAt: null,
      })),
    )
  }

  const newUploads = async (lines: readonly Line<'upload'>[]) => {
    const uploads = await withoutExisting(lines, tables.uploads.findKnown, ({ fields }) => fields.id)
    await checkOwners(uploads)
    return uploads
  }

  const newFiles = async (lines: readonly Line<'file'>[]) => {
    for (const line of lines) addToTotal(line, line.fields.fileSize + line.fields.reserved)
    const addable = lines.filter(({ fields }) => !existingUploads.has(fields.uploadId))
    count(report.skipped, 'file', lines.length - addable.length)
    const uploads = addable.map(({ fields }) => fields.uploadId)
    return withoutExisting(
      addable,
      (ids) => tables.files.findKnown(ids, uploads),
      ({ fields }) => fields.id,
    )
  }

  /** The last upload of a batch may have files in the next one. */
  const addUploadsAndFiles = async (
    uploads: readonly Line<'upload'>[],
    files: readonly Line<'file'>[],
  ): Promise<void> => {
    const sizes = sizesOf(files)
    await insert(
      tables.uploads,
      uploads.map(({ fields }) => uploadOf(fields, sizes.get(fields.id) ?? 0)),
    )
    await insert(
      tables.files,
      files.map(({ fields }) => ({
        ...fields,
        sealed: fields.sealed ?? 0,
        preview: fields.preview ?? 0,
        ...downloadsOf(fields),
      })),
    )
    for (const { fields } of uploads) sizes.delete(fields.id)
    for (const [id, size] of sizes) await tables.uploads.addSize(id, size)
  }

  /** Previews of files that are in the database, so that they are deleted with them. */
  const addPreviews = async (lines: readonly Line<'preview'>[]) => {
    const previews = await withoutExisting(lines, tables.previews.findKnown, ({ fields }) => fields.fileId)
    if (previews.length === 0) return
    const known = await tables.files.findKnown(
      previews.map(({ fields }) => fields.fileId),
      previews.map(({ fields }) => fields.uploadId),
    )
    for (const { number, fields } of previews)
      if (!known.has(fields.fileId))
        throw new InvalidLineError(number, `the file ${fields.fileId} does not exist`)
    await insert(
      tables.previews,
      previews.map(({ fields }) => ({ ...fields, content: Buffer.from(fields.content, 'base64') })),
    )
  }

  /** An alias is reserved even if its upload is not in the export any more. */
  const addAliases = async (lines: readonly Line<'alias'>[]) => {
    const aliases = await withoutExisting(lines, tables.aliases.findKnown, ({ fields }) => fields.alias)
    await insert(
      tables.aliases,
      aliases.map(({ fields }) => fields),
    )
  }

  const addDownloads = async (lines: readonly Line<'download'>[]) => {
    const uploadIds = [...new Set(lines.map(({ fields }) => fields.uploadId))]
    const downloads = await withoutExisting(
      lines,
      (ids) => tables.downloads.findKnown(ids, uploadIds),
      ({ fields }) => fields.id,
    )
    if (downloads.length === 0) return
    const known = await tables.uploads.findKnown(uploadIds)
    for (const { number, fields } of downloads)
      if (!known.has(fields.uploadId))
        throw new InvalidLineError(number, `the upload ${fields.uploadId} does not exist`)
    await insert(
      tables.downloads,
      downloads.map(({ fields }) => fields),
    )
  }

  const addDailyStats = async (lines: readonly Line<'figure'>[]) => {
    for (const line of lines) addToTotal(line, line.fields.value)
    const counters = await withoutExisting(lines, tables.dailyStats.findKnown, ({ fields }) =>
      dailyStatKey(fields),
    )
    await insert(
      tables.dailyStats,
      counters.map(({ fields }) => fields),
    )
  }

  const addWebhooks = async (lines: readonly Line<'webhook'>[]) => {
    const webhooks = await withoutExisting(lines, tables.webhooks.findKnown, ({ fields }) => fields.id)
    await checkOwners(webhooks)
    const rows = await notifications.webhooks(webhooks)
    count(report.added, 'webhook', rows.length - webhooks.length)
    count(report.refused, 'webhook', webhooks.length - rows.length)
    await insert(tables.webhooks, rows)
  }

  const addSettings = async (lines: readonly Line<'notification'>[]) => {
    const settings = await withoutExisting(
      lines,
      tables.notificationSettings.findKnown,
      ({ fields }) => fields.userId,
    )
    await checkOwners(settings)
    await insert(
      tables.notificationSettings,
      settings.map((line) => notifications.settings(line)),
    )
  }

  return {
    report,
    /** @throws InvalidLineError */
    async add(lines: readonly Line<RecordKind>[]): Promise<void> {
      await addUsers(ofKind(lines, 'user'))
      await addTokens(ofKind(lines, 'token'))
      await addRequests(ofKind(lines, 'request'))
      const uploads = ofKind(lines, 'upload')
      const added = await newUploads(uploads)
      const isNew = new Set(added)
      const existing = uploads.filter((line) => !isNew.has(line)).map(({ fields }) => fields.id)
      existingUploads = new Set([...existingUploads, ...existing])
      await addUploadsAndFiles(added, await newFiles(ofKind(lines, 'file')))
      await addPreviews(ofKind(lines, 'preview'))
      await addAliases(ofKind(lines, 'alias'))
      await addDownloads(ofKind(lines, 'download'))
      await addDailyStats(ofKind(lines, 'figure'))
      await addWebhooks(ofKind(lines, 'webhook'))
      await addSettings(ofKind(lines, 'notification'))
      // Only files of the last upload can follow.
      const last = uploads.at(-1)?.fields.id
      if (last !== undefined) existingUploads = new Set(existing.filter((id) => id === last))
    },
  }
}

const ofKind = <Kind extends RecordKind>(lines: readonly Line<RecordKind>[], kind: Kind) =>
  lines.filter((line): line is Extract<Line<RecordKind>, { kind: Kind }> => line.kind === kind)

async function insert<Row>(table: Pick<TableWrites<Row>, 'insert'>, rows: readonly Row[]): Promise<void> {
  if (rows.length > 0) await table.insert(rows)
}
