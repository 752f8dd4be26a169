import { manifestName, maxFreeManifestBytes } from '@svc/contract'
import { removable } from '../../domain/files/file-status.ts'
import type { FileRecord } from '../../domain/records.ts'
import type { Db } from '../query/prepared.ts'

/** Clients write one. Of an upload with more, all stay until it expires. */
const maxManifests = 8

/** A manifest that is stored. */
export type StoredManifest = Pick<FileRecord, 'id' | 'uploadId' | 'fileSize'>

/** Queries of the table `files` for the manifests of encrypted uploads. */
export function manifestQueries(db: Db) {
  return {
    /** The stored manifests of an upload whose other files have ended, one at least. */
    async lastManifests(uploadId: string): Promise<StoredManifest[]> {
      const upload = await db
        .selectFrom('uploads')
        .select('fileCount')
        .where('id', '=', uploadId)
        .executeTakeFirst()
      // Each download of an upload with thousands of files would otherwise count them all.
      if (upload === undefined || upload.fileCount > maxManifests) return []
      const others = await db
        .selectFrom('files')
        .select((eb) => [
          eb.fn.countAll().as('all'),
          eb.fn
            .sum<string | number | null>(eb.case().when('status', 'in', removable).then(1).else(0).end())
            .as('left'),
        ])
        .where('uploadId', '=', uploadId)
        .where((eb) => eb.or([eb('fileName', '!=', manifestName), eb('fileSize', '>', maxFreeManifestBytes)]))
        .executeTakeFirstOrThrow()
      if (Number(others.all) === 0 || Number(others.left ?? 0) > 0) return []
      return db
        .selectFrom('files')
        .select(['id', 'uploadId', 'fileSize'])
        .where('uploadId', '=', uploadId)
        .where('fileName', '=', manifestName)
        .where('fileSize', '<=', maxFreeManifestBytes)
        .where('status', '=', 'uploaded')
        .execute()
    },
  }
}
