import { filePath } from '@svc/contract'
import { hashSecret } from '../../auth/secrets.ts'
import { readFileContent } from '../reading/content.ts'
import { derivedId } from '../derived-id.ts'
import { downloadLimit } from '../download-limit.ts'
import { acceptableName } from '../file-names.ts'
import { endingAt, plainUpload, uploadedFile } from '../records.ts'
import type { EndReason, SourceUpload, UploadContext } from '../source.ts'
import type { TransferMetadata } from './metadata.ts'

/** A file of transfer.sh. */
export interface TransferFile {
  /** The directory, which is the first part of its address. */
  readonly token: string
  readonly name: string
  /** Null for a file without metadata, which has no limits; `damaged` when it cannot be read. */
  readonly metadata: TransferMetadata | 'damaged' | null
  /** When its bytes were written, in milliseconds since the epoch. */
  readonly writtenAt: number
}

const unlimitedFile: TransferMetadata = {
  size: null,
  remainingDownloads: null,
  expireAt: null,
  deletionToken: '',
  isEncrypted: false,
  isCompressed: false,
}

/** A file of transfer.sh with its limits: an upload with one file. */
export function uploadOf(
  file: TransferFile,
  { root, now }: { readonly root: string; readonly now: number },
): SourceUpload {
  const { token, name } = file
  const isDamaged = file.metadata === 'damaged'
  const metadata = file.metadata === null || file.metadata === 'damaged' ? unlimitedFile : file.metadata
  const sourceId = `${token}/${name}`
  const id = derivedId('transfer.sh', token, name)
  const fileId = derivedId('transfer.sh', token, name, 'file')
  const createdAt = Math.min(now, Math.max(0, Math.trunc(file.writtenAt)))
  const to = filePath(id, fileId, acceptableName(name))
  const from = `${encodeURIComponent(token)}/${encodeURIComponent(name)}`
  return {
    id,
    sourceId,
    end: endOf(metadata, now),
    refusal: isDamaged ? 'its metadata are damaged, so its limits are unknown' : refusalOf(metadata),
    redirects: ['', 'get/', 'download/', 'inline/'].map((action) => ({ from: `/${action}${from}`, to })),
    fields: (context) => Promise.resolve(fieldsOf(metadata, { id, createdAt }, context)),
    files: [
      {
        id: fileId,
        sourceId,
        name,
        leftOut: null,
        content: {
          open: () => readFileContent({ root, segments: [token, name] }),
          // The size of an encrypted file is that before the encryption.
          size: metadata.isEncrypted ? null : metadata.size,
          md5: '',
          sha1: '',
        },
        fields: ({ content, ...stored }) =>
          uploadedFile(content, {
            id: fileId,
            uploadId: id,
            ...stored,
            createdAt,
          }),
      },
    ],
  }
}

function endOf({ expireAt, remainingDownloads }: TransferMetadata, now: number): EndReason | null {
  if ((expireAt ?? Infinity) <= now) return 'expired'
  return remainingDownloads === 0 ? 'used up' : null
}

const refusalOf = ({ isCompressed }: TransferMetadata): string | null =>
  isCompressed ? 'its bytes are compressed, by a variant of transfer.sh that svcd cannot read' : null

function fieldsOf(
  { expireAt, remainingDownloads, deletionToken, isEncrypted }: TransferMetadata,
  { id, createdAt }: { readonly id: string; readonly createdAt: number },
  { randomSecret, onChange }: UploadContext,
) {
  if (isEncrypted)
    onChange(
      'transfer.sh has encrypted it (OpenPGP, with a password): downloads are encrypted, gpg decrypts them',
    )
  return {
    ...plainUpload,
    id,
    tokenHash: hashSecret(deletionToken || randomSecret()),
    ...endingAt(expireAt, createdAt),
    ...downloadLimit(remainingDownloads),
    createdAt,
  }
}
