import { join } from 'node:path'
import { sqliteDialect } from '../../../src/metadata/dialects/sqlite/sqlite.ts'
import { openMetadataStore, type MetadataStore } from '../../../src/metadata/store.ts'
import { fileRecord, requestRecord, uploadRecord } from '../../support/databases/records.ts'
import { deliveryRecord, webhookRecord } from '../../metadata/store-suite/outbox.ts'
import { tokenRecord, userRecord } from '../records.ts'

/** An age file with a stanza for a passkey. The server checks its header only. */
const ageFile = `age-encryption.org/v1\n-> age-encryption.org/fido2prf ${'n'.repeat(22)}\n${'b'.repeat(43)}\n--- ${'m'.repeat(43)}\n`
const passkeyIdentity = {
  credential: 'Y3JlZGVudGlhbA',
  wrappedIdentity: `-----BEGIN AGE ENCRYPTED FILE-----\n${Buffer.from(ageFile).toString('base64')}\n-----END AGE ENCRYPTED FILE-----\n`,
}

/** Runs some work on the database in a directory. A server may use the database at the same time. */
export async function inDatabase<Result>(
  directory: string,
  work: (store: MetadataStore) => Promise<Result>,
): Promise<Result> {
  const store = await openMetadataStore(sqliteDialect(join(directory, 'svc.db')))
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** An id whose order is that of its number. */
export const numbered = (letter: string, number: number) => letter + String(number).padStart(15, '0')

/** Fills a database with records of every kind, and correct counters. */
export const fillDatabase = (directory: string): Promise<void> =>
  inDatabase(directory, (store) =>
    store.transaction(async (transaction) => {
      const bob = userRecord('bob', { admin: 1, name: 'Bób “B.” 🗿', maxUserSize: -1, usedSize: 5 + 3 + 64 })
      const eve = userRecord('eve@example.org', {
        id: 'oidc:subject of eve',
        provider: 'oidc',
        issuer: 'https://login.example',
        accountId: 'subject of eve',
        passwordHash: null,
      })
      const token = tokenRecord(bob.id, { comment: 'backup\tof it all', usedAt: 5_000, expireAt: 9_000 })
      for (const user of [bob, eve]) await transaction.users.insert(user)
      const limited = tokenRecord(eve.id, { scopes: 'upload read', renewal: 5_000 })
      for (const row of [token, limited]) await transaction.tokens.insert(row)

      const ofBob = uploadRecord({
        id: numbered('A', 1),
        userId: bob.id,
        userToken: token.id,
        fileCount: 3,
        size: 8,
        comments: 'line\nline\u0000 "quoted" \\ \u2028',
        maxDownloads: 5,
        expireAt: null,
        ttl: -1,
      })
      const guests = uploadRecord({
        id: numbered('B', 2),
        oneShot: 1,
        extendTtl: 1,
        e2ee: 'age',
        login: 'svc',
        passwordHash: bob.passwordHash,
        options: 1 + 8 + 16 + 32,
        fileCount: 1,
        size: 5,
        requestId: numbered('R', 1),
        requestTokenHash: 'x'.repeat(43),
        sender: 'Zoë “Z.”',
        maxFileSize: 10,
        placeUntil: 5_000,
      })
      const request = requestRecord({
        id: numbered('R', 1),
        userId: bob.id,
        message: 'line\nline "quoted"',
        extensions: 'pdf tar.gz',
        passwordHash: bob.passwordHash,
        passkeyIdentities: JSON.stringify([passkeyIdentity]),
        uploads: 3,
        seen: 1,
        files: 4,
        size: 9,
      })
      await transaction.requests.insert(request)
      const removed = uploadRecord({ id: numbered('C', 3), deletedAt: 2_000, fileCount: 1 })
      for (const upload of [ofBob, guests, removed, uploadRecord({ id: numbered('D', 4) })])
        await transaction.uploads.insert(upload)

      await transaction.aliases.take({ alias: 'old-holiday', uploadId: ofBob.id }, 1_000)
      await transaction.aliases.take({ alias: 'holiday', uploadId: ofBob.id }, 1_000)
      await transaction.aliases.hold([ofBob.id], 1_000, 'holiday')

      const uploading = { status: 'uploading', md5: '', uploadedAt: null, fileSize: 0 } as const
      const files = [
        fileRecord(ofBob, {
          id: numbered('z', 1),
          position: 0,
          fileName: 'folder/nämé 🗿.txt',
          downloads: 2,
        }),
        fileRecord(ofBob, { id: numbered('y', 2), position: 1, fileSize: 3, reference: 'r' }),
        fileRecord(ofBob, {
          id: numbered('x', 3),
          position: 1,
          ...uploading,
          instance: 'i'.repeat(16),
          reserved: 64,
        }),
        fileRecord(ofBob, { id: numbered('w', 4), position: 2, status: 'removed' }),
        fileRecord(ofBob, { id: numbered('v', 5), position: 3, ...uploading, status: 'missing' }),
        fileRecord(guests, { claim: 'c'.repeat(16), claimUntil: 3_000, brokenDownloads: 2 }),
        fileRecord(removed, { status: 'deleted' }),
      ]
      for (const file of files) await transaction.files.insert(file)

      const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
      const rotated = {
        previousSecret: `whsec_${Buffer.alloc(32, 8).toString('base64')}`,
        previousUntil: 9_000,
      }
      const hook = webhookRecord(bob.id, { id: numbered('H', 1), secret, ...rotated })
      await transaction.webhooks.insert(hook)
      await transaction.webhooks.insert(
        webhookRecord(eve.id, {
          id: numbered('H', 2),
          secret,
          enabled: 0,
          events: 'request.received upload.expiring',
        }),
      )
      await transaction.outbox.add([deliveryRecord(hook)])
      await transaction.notificationSettings.change(bob.id, {
        emailEvents: 'upload.expiring limits.near',
        verifiedEmail: 'bob@mail.example',
        language: 'de',
        listeningUntil: 5_000,
      })
    }),
  )
