import type { Inventory } from '../../data/backend/inventory.ts'
import type { FileKey } from '../../metadata/files/file-key.ts'
import { inAccountingTransaction, accountRemoved } from '../stats/usage-accounting.ts'
import type { Service } from '../service.ts'
import type { Finding } from './finding.ts'

/**
 * What became of a finding. `removed`: the file is removed for its readers, `quarantined` and `deleted`: the bytes are out
 * of the way; `too_young`: the bytes may still be in use; `changed`: something else has happened to the file meanwhile.
 */
export type RepairAction = 'removed' | 'quarantined' | 'deleted' | 'too_young' | 'changed' | 'failed'

export interface RepairOptions {
  /** Bytes that no file of the database names are left alone for so many milliseconds after their last change. */
  readonly olderThan: number
}

type Parts = Pick<Service, 'store' | 'data' | 'clock' | 'log' | 'instance' | 'inFlight'>

/** Ends the disagreement about one file, if that is still as it was found. Never rejects: the log says what failed. */
export async function repair(
  parts: Parts,
  inventory: Inventory,
  finding: Finding,
  options: RepairOptions,
): Promise<RepairAction> {
  try {
    return await attempt(parts, inventory, finding, options)
  } catch (error) {
    parts.log.error({ err: error, file: finding.file, kind: finding.kind }, 'a file could not be repaired')
    return 'failed'
  }
}

function attempt(
  parts: Parts,
  inventory: Inventory,
  finding: Finding,
  { olderThan }: RepairOptions,
): Promise<RepairAction> {
  switch (finding.kind) {
    case 'lost':
    case 'wrong_size':
    case 'wrong_hash':
      return lose(parts, inventory, finding)
    case 'orphaned':
    case 'unfinished': {
      const isYoung = (finding.modifiedAt ?? 0) > parts.clock.now() - olderThan
      return isYoung ? Promise.resolve('too_young') : clear(parts, inventory, finding)
    }
  }
}

/** A file whose data is lost or damaged is removed; its quota is free again. Damaged bytes stay for an admin to see, where they can. */
async function lose({ store }: Parts, inventory: Inventory, { kind, file, upload }: Finding) {
  const uploadId = upload ?? ''
  const owner = await store.uploads.owner(uploadId)
  const won = await inAccountingTransaction(store, (transaction) =>
    accountRemoved(transaction, owner, file, () => transaction.verification.lose({ id: file, uploadId })),
  )
  if (!won) return 'changed'
  // Elsewhere the next cleaning deletes them, as of any removed file.
  if (kind !== 'lost') await inventory.quarantine?.(file)
  return 'removed'
}

/** Bytes that belong to no file go. */
async function clear(parts: Parts, inventory: Inventory, finding: Finding): Promise<RepairAction> {
  const { kind, file, status, upload } = finding
  if (status === 'uploaded' && kind === 'unfinished') {
    await inventory.removeUnfinished(file)
    return 'deleted'
  }
  // Never used again, or not yet in use: no one can begin to write under the key while its bytes go.
  return status === 'missing' && upload !== null
    ? whileReserved(parts, { id: file, uploadId: upload }, () => putAway(parts, inventory, file))
    : putAway(parts, inventory, file)
}

async function putAway({ data }: Parts, { quarantine }: Inventory, file: string): Promise<RepairAction> {
  if (quarantine === undefined) {
    await data.remove(file)
    return 'deleted'
  }
  await quarantine(file)
  return 'quarantined'
}

/** A declared file may be sent at any time. Whoever does so in this moment is told that somebody else is sending it. */
async function whileReserved(
  { store, instance, inFlight: receptions }: Parts,
  file: FileKey,
  work: () => Promise<RepairAction>,
): Promise<RepairAction> {
  return receptions.during(file.id, async () => {
    if (!(await store.files.receive(file, instance))) return 'changed'
    try {
      return await work()
    } finally {
      await store.files.giveBack(file, instance)
    }
  })
}
