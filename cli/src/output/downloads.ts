import { limits, type Download, type Upload } from '@svc/contract'
import type { Access, Client } from '@svc/sdk'
import { roughSize, table } from '@svc/terminal'

/**
 * All downloads of an upload that the server keeps, the newest first.
 * @throws ApiError `not_allowed` unless the caller may manage the upload
 */
export async function allDownloads(
  client: Pick<Client, 'downloads'>,
  { id }: Pick<Upload, 'id'>,
  access: Access,
): Promise<readonly Download[]> {
  const found: Download[] = []
  for (let after: string | undefined; found.length < limits.downloadsPerUpload;) {
    const query = { limit: limits.pageMax, ...(after !== undefined && { after }) }
    const page = await client.downloads(id, query, access)
    found.push(...page.results)
    if (page.after === null) break
    ;({ after } = page)
  }
  return found
}

/** A table of downloads, with an empty line before it. */
export function downloadLines(downloads: readonly Download[], { files }: Pick<Upload, 'files'>): string[] {
  if (downloads.length === 0) return ['', 'no downloads yet']
  const names = new Map(files.map(({ id, fileName }) => [id, fileName]))
  const hasAddresses = downloads.some(({ address }) => address !== undefined)
  return [
    '',
    ...table<Download>(
      [
        ['ENDED', ({ endedAt }) => endedAt],
        ['RESULT', ({ result }) => result],
        ['SENT', ({ bytes, result }) => (result === 'direct' ? '-' : roughSize(bytes))],
        ['CLIENT', ({ client }) => client],
        ...(hasAddresses ? [['ADDRESS', ({ address = '-' }: Download) => address] as const] : []),
        [
          'FILE',
          ({ fileID }) => (fileID === undefined ? 'all, as an archive' : (names.get(fileID) ?? fileID)),
        ],
      ],
      downloads,
    ),
  ]
}
