import { defaultUploadLogin, type Upload } from '@svc/contract'
import type { Client } from '@svc/sdk'
import { reasonOf } from '../output/reasons.ts'
import { shellWord } from '../output/shell-word.ts'
import type { Sent } from './run-upload.ts'

export interface Report {
  readonly client: Client
  readonly upload: Upload & { readonly uploadToken: string }
  readonly sent: readonly Sent[]
  /** Login of a protected upload. */
  readonly login: string | undefined
}

/** A command that fetches the file, to be pasted into any shell. It asks for a password itself. */
function curlLine({ client, upload, login }: Report, { file }: Sent): string {
  const words = [
    'curl',
    '-f',
    ...(upload.protectedByPassword ? ['-u', login ?? defaultUploadLogin] : []),
    ...(file.fileName.includes('/') ? ['--create-dirs'] : []),
    '-o',
    file.fileName.startsWith('-') ? `./${file.fileName}` : file.fileName,
    client.fileURL(upload, file),
  ]
  return words.map(shellWord).join(' ')
}

const good = ({ sent }: Report) => sent.filter(({ error }) => error === undefined)

/** The page's link, and a line for each file. */
export function lines(report: Report): string[] {
  const { client, upload } = report
  return [client.pageURL(upload), '', ...good(report).map((sent) => curlLine(report, sent))]
}

/** Links alone, one for each file: what `curl` takes. */
export function links(report: Report): string[] {
  const { client, upload } = report
  return good(report).map(({ file }) => client.fileURL(upload, file))
}

/** Everything, for scripts. */
export function value(report: Report): unknown {
  const { client, upload, sent } = report
  return {
    id: upload.id,
    url: client.pageURL(upload),
    adminURL: client.pageURL(upload, { uploadToken: upload.uploadToken }),
    archiveURL: upload.stream ? null : client.archiveURL(upload),
    uploadToken: upload.uploadToken,
    expireAt: upload.expireAt,
    ttl: upload.ttl,
    oneShot: upload.oneShot,
    removable: upload.removable,
    stream: upload.stream,
    protectedByPassword: upload.protectedByPassword,
    files: sent.map(({ item, file, error }) => ({
      name: item.name,
      ...(error === undefined && {
        id: file.id,
        url: client.fileURL(upload, file),
        size: file.fileSize,
        type: file.type,
        md5: file.md5,
      }),
      status: error === undefined ? file.status : 'failed',
      ...(error !== undefined && { error: reasonOf(error) }),
    })),
  }
}
