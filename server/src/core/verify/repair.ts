import type { Inventory } from '../../data/backend/inventory.ts'
import type { FileKey } from '../../metadata/files/file-key.ts'
import { inAccountingTransaction, recordRemoved } from '../stats/usage-accounting.ts'
import type { Service } from '../service.ts'
import type { Finding } from './finding.ts'

/**
 * The result of a repair. `removed`: readers no longer see the file; `quarantined` and `deleted`: the bytes are
 * moved or deleted; `too_young`: the bytes may still be in use; `changed`: the file has changed in the meantime;
 * `skipped`: the bytes may be readable again after a repair of the file system.
 */
export type RepairAction =
  'removed' | 'quarantined' | 'deleted' | 'too_young' | 'changed' | 'failed' | 'skipped'

export interface RepairOptions {
  /** Orphaned bytes stay for this many milliseconds after their last change. */
  readonly olderThan: number
}

type Repairer = Pick<Service, 'store' | 'data' | 'clock' | 'log' | 'instance' | 'inFlight'>

/** Repairs one difference, if it still exists. Never rejects: failures are logged. */
export async function repair(
  service: Repairer,
  inventory: Inventory,
  finding: Finding,
  options: RepairOptions,
): Promise<RepairAction> {
  try {
    return await attempt(service, inventory, finding, options)
  } catch (error) {
    service.log.error({ err: error, file: finding.file, kind: finding.kind }, 'a file could not be repaired')
    return 'failed'
  }
}

function attempt(
  service: Repairer,
  inventory: Inventory,
  finding: Finding,
  { olderThan }: RepairOptions,
): Promise<RepairAction> {
  switch (finding.kind) {
    case 'lost':
    case 'wrong_size':
    case 'wrong_hash':
      return removeDamaged(service, inventory, finding)
    case 'unreadable':
      return Promise.resolve('skipped')
    case 'orphaned':
    case 'unfinished': {
      const isYoung = (finding.modifiedAt ?? 0) > service.clock.now() - olderThan
      return isYoung ? Promise.resolve('too_young') : removeOrphan(service, inventory, finding)
    }
  }
}

/**
 * Removes a file whose data is lost or damaged, and releases its quota. Damaged bytes are quarantined if possible.
 */
async function removeDamaged({ store }: Repairer, inventory: Inventory, { kind, file, upload }: Finding) {
  const uploadId = upload ?? ''
  const owner = await store.uploads.findOwner(uploadId)
  const isRemoved = await inAccountingTransaction(store, (transaction) =>
    recordRemoved(transaction, owner, file, () => transaction.verification.markLost({ id: file, uploadId })),
  )
  if (!isRemoved) return 'changed'
  // Without a quarantine, the next cleanup deletes them.
  if (kind !== 'lost') await inventory.quarantine?.(file)
  return 'removed'
}

/** Removes bytes that belong to no file. */
async function removeOrphan(
  service: Repairer,
  inventory: Inventory,
  finding: Finding,
): Promise<RepairAction> {
  const { kind, file, status, upload } = finding
  if (status === 'uploaded' && kind === 'unfinished') {
    await inventory.removeUnfinished(file)
    return 'deleted'
  }
  // The key is never used again, or not used yet: it is reserved while its bytes are removed.
  return status === 'missing' && upload !== null
    ? whileReserved(service, { id: file, uploadId: upload }, () =>
        quarantineOrDelete(service, inventory, file),
      )
    : quarantineOrDelete(service, inventory, file)
}

async function quarantineOrDelete(
  { data }: Repairer,
  { quarantine }: Inventory,
  file: string,
): Promise<RepairAction> {
  if (quarantine === undefined) {
    await data.remove(file)
    return 'deleted'
  }
  await quarantine(file)
  return 'quarantined'
}

/**
 * Reserves a declared file, which may be sent at any time. A sender in this moment gets the error that the file is
 * being uploaded.
 */
async function whileReserved(
  { store, instance, inFlight }: Repairer,
  file: FileKey,
  work: () => Promise<RepairAction>,
): Promise<RepairAction> {
  return inFlight.during(file.id, async () => {
    if (!(await store.files.startUpload(file, instance))) return 'changed'
    try {
      return await work()
    } finally {
      await store.files.resetStream(file, instance)
    }
  })
}
