import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { uploads } from './0001-uploads.ts'
import { accounts } from './0002-accounts.ts'
import { instanceAddress } from './0003-instance-address.ts'
import { resumables } from './0004-resumables.ts'
import { instanceProcess } from './0005-instance-process.ts'
import { dailyFigures } from './0006-daily-figures.ts'
import { filesByStatus } from './0007-files-by-status.ts'
import { sealedClaims } from './0008-sealed-claims.ts'
import { massRemoval } from './0009-mass-removal.ts'
import { listingIndexes } from './0010-listing-indexes.ts'
import { totals } from './0011-totals.ts'
import { hashedTokens } from './0012-hashed-tokens.ts'
import { accountIds } from './0013-account-ids.ts'
import { budgets } from './0014-budgets.ts'
import { hiddenFigures } from './0015-hidden-figures.ts'
import { filesByUpload } from './0016-files-by-upload.ts'
import { downloadLimits } from './0017-download-limits.ts'
import { downloads } from './0018-downloads.ts'
import { requests } from './0019-requests.ts'
import { notifications } from './0020-notifications.ts'
import { uploadPlaces } from './0021-upload-places.ts'
import { wrappedIdentities } from './0022-wrapped-identities.ts'
import { aliases } from './0023-aliases.ts'
import { previews } from './0024-previews.ts'
import { passkeyIdentities } from './0025-passkey-identities.ts'

/** Applied in the order of their names, which the database records. A released migration never changes. */
export const migrationsFor = (capabilities: Capabilities): Readonly<Record<string, Migration>> => ({
  '0001-uploads': uploads(capabilities),
  '0002-accounts': accounts(capabilities),
  '0003-instance-address': instanceAddress(capabilities),
  '0004-resumables': resumables(capabilities),
  '0005-instance-process': instanceProcess(capabilities),
  '0006-daily-figures': dailyFigures(capabilities),
  '0007-files-by-status': filesByStatus(capabilities),
  '0008-sealed-claims': sealedClaims(capabilities),
  '0009-mass-removal': massRemoval(capabilities),
  '0010-listing-indexes': listingIndexes(capabilities),
  '0011-totals': totals(capabilities),
  '0012-hashed-tokens': hashedTokens(capabilities),
  '0013-account-ids': accountIds(capabilities),
  '0014-budgets': budgets(capabilities),
  '0015-hidden-figures': hiddenFigures,
  '0016-files-by-upload': filesByUpload(capabilities),
  '0017-download-limits': downloadLimits(capabilities),
  '0018-downloads': downloads(capabilities),
  '0019-requests': requests(capabilities),
  '0020-notifications': notifications(capabilities),
  '0021-upload-places': uploadPlaces(capabilities),
  '0022-wrapped-identities': wrappedIdentities(capabilities),
  '0023-aliases': aliases(capabilities),
  '0024-previews': previews(capabilities),
  '0025-passkey-identities': passkeyIdentities(capabilities),
})
