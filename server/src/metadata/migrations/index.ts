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

/** Applied in the order of their names and recorded in the database; one that was released is never changed. */
export const migrationsFor = (traits: Capabilities): Readonly<Record<string, Migration>> => ({
  '0001-uploads': uploads(traits),
  '0002-accounts': accounts(traits),
  '0003-instance-address': instanceAddress(traits),
  '0004-resumables': resumables(traits),
  '0005-instance-process': instanceProcess(traits),
  '0006-daily-figures': dailyFigures(traits),
  '0007-files-by-status': filesByStatus(traits),
  '0008-sealed-claims': sealedClaims(traits),
  '0009-mass-removal': massRemoval(traits),
  '0010-listing-indexes': listingIndexes(traits),
  '0011-totals': totals(traits),
  '0012-hashed-tokens': hashedTokens(traits),
  '0013-account-ids': accountIds(traits),
  '0014-budgets': budgets(traits),
  '0015-hidden-figures': hiddenFigures,
  '0016-files-by-upload': filesByUpload(traits),
})
