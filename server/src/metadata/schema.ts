import type { FileRecord, UploadRecord } from '../domain/records.ts'

/** A server process, with its last sign of life in milliseconds since the epoch. */
interface InstanceRow {
  readonly id: string
  readonly seenAt: number
}

interface SettingRow {
  readonly key: string
  readonly value: string
}

/** Tables and their columns, named as the code names them: one shape from the disk to the rules. */
export interface Schema {
  readonly uploads: UploadRecord
  readonly files: FileRecord
  readonly instances: InstanceRow
  readonly settings: SettingRow
}
