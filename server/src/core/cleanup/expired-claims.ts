import type { Bit } from '../../domain/records.ts'
import type { ClaimKey } from '../../metadata/files/limited-claims.ts'
import { downloadLimit } from '../../domain/limits/download-limit.ts'
import { endClaim, inAccountingTransaction, recordDownload } from '../stats/usage-accounting.ts'
import type { Service } from '../service.ts'

/** The number of claims per query. */
const batch = 100

/**
 * The time in ms after which a claim without a seal is deleted. A download that needs it replaces it as soon as it expires;
 * until then, a suspended process may continue.
 */
const abandonedMs = 3_600_000

type Cleaner = Pick<Service, 'clock' | 'store'> & { readonly signal?: AbortSignal }

/**
 * Ends the claims of files with `maxDownloads` that crashed instances held. A sealed one counts, because its last bytes may
 * have arrived.
 */
export async function endExpiredClaims(cleaner: Cleaner): Promise<void> {
  const now = cleaner.clock.now()
  await endClaims(cleaner, 1, now)
  await endClaims(cleaner, 0, now - abandonedMs)
}

async function endClaims({ store, signal }: Cleaner, sealed: Bit, until: number): Promise<void> {
  for (;;) {
    const claims = await store.claims.findExpired(sealed, until, batch)
    let ended = 0
    for (const claim of claims) {
      signal?.throwIfAborted()
      if (await end(store, claim, sealed)) ended += 1
    }
    // Another instance that ended all of them continues with the next ones.
    if (claims.length < batch || ended === 0) return
  }
}

async function end(store: Service['store'], claim: ClaimKey, sealed: Bit): Promise<boolean> {
  const upload = await store.uploads.find(claim.uploadId)
  // Its rows may be purged.
  const limit = upload === undefined ? null : downloadLimit(upload)
  return inAccountingTransaction(store, (transaction) =>
    upload !== undefined && limit !== null && sealed === 1
      ? recordDownload(transaction, upload, claim, limit)
      : endClaim(transaction, claim),
  )
}
