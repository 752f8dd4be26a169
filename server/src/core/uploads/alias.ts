import { isAlias, limits } from '@svc/contract'
import type { BudgetKey } from '../../domain/access/budget-key.ts'
import * as errors from '../../domain/errors.ts'
import { uploadNotFound } from '../../domain/not-found-errors.ts'
import type { UploadRecord } from '../../domain/records.ts'
import type { MetadataStore } from '../../metadata/store.ts'
import type { Service } from '../service.ts'

const invalidAlias = () =>
  new errors.ServiceError(
    'invalid_alias',
    `an alias has ${String(limits.aliasMinLength)} to ${String(limits.aliasLength)} characters of a-z, 0-9 and -, and is not a reserved word`,
  )
const aliasTaken = () => new errors.ServiceError('alias_taken', 'this alias is taken: choose another one')

/**
 * The alias that a user wants for an upload.
 * @param userId the owner; guests have no aliases, so that no one takes many of them
 * @throws ServiceError `invalid_alias`, `login_required`
 */
export function aliasIn(alias: string, userId: string | null): string {
  if (userId === null) throw errors.loginRequired()
  if (!isAlias(alias)) throw invalidAlias()
  return alias
}

/**
 * Lets an alias lead to an upload instead of its earlier one.
 * @param now ms
 * @throws ServiceError `alias_taken`
 */
export async function takeAlias(
  transaction: MetadataStore,
  uploadId: string,
  alias: string,
  now: number,
): Promise<void> {
  if (!(await transaction.aliases.take({ alias, uploadId }, now))) throw aliasTaken()
  await transaction.aliases.hold([uploadId], now, alias)
}

/**
 * Changes or removes the alias of an upload.
 * @throws ServiceError `invalid_alias`, `alias_taken`, `not_allowed` for uploads of guests and of upload requests, and for too many aliases,
 * `upload_not_found` when it was removed in the meantime, `no_space`, `budget_reached`
 */
export async function changeAlias(
  service: Pick<Service, 'budgets' | 'clock' | 'rowSpace' | 'store'>,
  upload: UploadRecord,
  alias: string | null,
  budgetKey: BudgetKey | null,
): Promise<void> {
  const { clock, store } = service
  // The links of received uploads lead nowhere.
  if (upload.userId === null || upload.requestId !== null)
    throw errors.notAllowed('set an alias for this upload')
  const wanted = alias === null ? null : aliasIn(alias, upload.userId)
  const now = clock.now()
  if (wanted === null) {
    await store.aliases.hold([upload.id], now)
    return
  }
  // Each change reserves another alias.
  service.budgets.spend(budgetKey, 'uploads')
  await service.rowSpace.require(wanted.length)
  await store.transaction(async (transaction) => {
    await transaction.uploads.lock(upload.id)
    const others = await transaction.aliases.countOthers({ alias: wanted, uploadId: upload.id })
    if (others + 1 > limits.aliasesPerUpload)
      throw errors.notAllowed(
        `choose another alias: an upload has at most ${String(limits.aliasesPerUpload)} within ${String(limits.aliasHoldDays)} days`,
      )
    // The aliases of a removed upload are ended once.
    if ((await transaction.uploads.find(upload.id))?.deletedAt !== null) throw uploadNotFound()
    await takeAlias(transaction, upload.id, wanted, now)
  })
}
