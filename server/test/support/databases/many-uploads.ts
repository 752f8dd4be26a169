import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MetadataBackendConfig } from '../../../src/config/config.ts'
import type { UploadRecord } from '../../../src/domain/records.ts'
import { openDialect } from '../../../src/metadata/open-dialect.ts'
import { openBulkTables } from '../../../src/metadata/bulk-tables.ts'
import { fileRecord, uploadRecord } from './records.ts'

/** Rows of one statement. */
const batch = 500

interface Many {
  readonly database: MetadataBackendConfig
  /** Folder of the data directory `files`; without it, no bytes are written. */
  readonly directory?: string
  readonly count: number
  /** The common properties of the uploads. */
  readonly upload?: Partial<UploadRecord>
}

/** Inserts uploads with a stored file of one byte each into a database, much faster than requests. */
export async function fillWithUploads({ database, directory, count, upload = {} }: Many): Promise<void> {
  const tables = await openBulkTables(await openDialect(database, 'bulk', () => undefined))
  try {
    for (let done = 0; done < count; done += batch) {
      const uploads = Array.from({ length: Math.min(batch, count - done) }, () =>
        uploadRecord({
          comments: 'A comment of this upload.',
          address: '192.0.2.7',
          fileCount: 1,
          size: 1,
          ...upload,
        }),
      )
      const files = uploads.map((record) => fileRecord(record, { fileSize: 1 }))
      await tables.transaction(async (write) => {
        await write.uploads.insert(uploads)
        await write.files.insert(files)
      })
      if (directory !== undefined) for (const { id } of files) await storeByte(directory, id)
    }
    await tables.transaction((write) => write.countOwners())
  } finally {
    await tables.close()
  }
}

async function storeByte(directory: string, id: string): Promise<void> {
  const shard = join(directory, 'files', id.slice(0, 2))
  await mkdir(shard, { recursive: true, mode: 0o700 })
  await writeFile(join(shard, id), 'x')
}
