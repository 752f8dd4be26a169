import { downloadLimit } from '../../domain/limits/download-limit.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import type { MetadataStore } from '../../metadata/store.ts'
import {
  endClaim,
  inAccountingTransaction,
  recordBrokenDownload,
  recordBrokenLimited,
  recordConsumed,
  recordDownload,
} from '../stats/usage-accounting.ts'

/** After this many interrupted downloads of more than half of a file, they count as a download. */
const maxBroken = 3

/** The claimed file. */
export type FileToClaim = Pick<FileRecord, 'id' | 'uploadId' | 'fileSize'>

/** A claim in the database. */
export interface StoredClaim {
  /**
   * Takes the claim. A second call succeeds as well.
   * @param expiredBefore ms; unsealed claims of others that expired by then are replaced
   * @param until ms; the claim expires then unless it is renewed
   */
  take(expiredBefore: number, until: number): Promise<boolean>
  /** @param until ms */
  renew(until: number): Promise<void>
  /** @returns false when the claim was lost */
  seal(until: number): Promise<boolean>
  /** Counts the download. */
  consume(): Promise<void>
  /** Ends the claim of a download that does not count. */
  release(): Promise<void>
  /** Ends the claim of an interrupted download of more than half of the file. */
  releaseBroken(): Promise<void>
}

/** The claim of a one-shot file is in its row, and those of a file with `maxDownloads` in a table. */
export const storedClaim = (
  store: MetadataStore,
  upload: UploadRecord,
  file: FileToClaim,
  id: string,
): StoredClaim =>
  upload.oneShot === 1 ? oneShotClaim(store, upload, file, id) : limitedClaim(store, upload, file, id)

function oneShotClaim(
  store: MetadataStore,
  upload: UploadRecord,
  file: FileToClaim,
  id: string,
): StoredClaim {
  const { files } = store
  return {
    take: (expiredBefore, until) => files.claim(file, id, expiredBefore, until),
    async renew(until) {
      await files.renewClaim(file, id, until)
    },
    seal: (until) => files.sealClaim(file, id, until),
    async consume() {
      await inAccountingTransaction(store, (transaction) => recordConsumed(transaction, upload, file, id))
    },
    release: () => files.releaseClaim(file, id, 0),
    async releaseBroken() {
      await inAccountingTransaction(store, (transaction) =>
        recordBrokenDownload(transaction, upload, file.id, id, maxBroken),
      )
    },
  }
}

function limitedClaim(
  store: MetadataStore,
  upload: UploadRecord,
  file: FileToClaim,
  id: string,
): StoredClaim {
  const claim = { fileId: file.id, uploadId: file.uploadId, id }
  const limit = downloadLimit(upload) ?? Infinity
  const end = async (work: (transaction: MetadataStore) => Promise<void>) => {
    await inAccountingTransaction(store, work)
  }
  return {
    take: (expiredBefore, until) =>
      store.transaction(async ({ claims }) => {
        if (expiredBefore > 0 && !(await claims.freeExpired(claim, expiredBefore))) return false
        if (await claims.has(claim)) return true
        if (!(await claims.reserve(claim, limit))) return false
        await claims.insert(claim, until)
        return true
      }),
    renew: (until) => store.claims.renew(claim, until),
    seal: (until) => store.claims.seal(claim, until),
    consume: () => end((transaction) => recordDownload(transaction, upload, claim, limit)),
    release: () => end((transaction) => endClaim(transaction, claim)),
    releaseBroken: () =>
      end((transaction) => recordBrokenLimited(transaction, upload, claim, { limit, maxBroken })),
  }
}
