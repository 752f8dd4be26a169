import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { sqliteFixture, type Cells, type SqliteFixture } from '../sqlite-fixture.ts'

/** The tables of Pingvin Share 1 that have records, as its migrations make them, and the columns of Pingvin Share X. */
const schema = `
  create table "_prisma_migrations" (id text primary key, migration_name text not null);
  create table "User" (id text not null primary key, createdAt datetime not null, updatedAt datetime not null,
    username text not null, email text not null, password text, isAdmin boolean not null default false,
    ldapDN text);
  create table "Share" (id text not null primary key, createdAt datetime not null, name text,
    uploadLocked boolean not null default false, isZipReady boolean not null default false, views integer not null default 0,
    expiration datetime not null, description text, removedReason text, creatorId text, reverseShareId text,
    storageProvider text not null default 'LOCAL', storagePath text, blockedAt datetime);
  create table "File" (id text not null primary key, createdAt datetime not null, name text not null, size text not null,
    shareId text not null, storageName text);
  create table "ShareSecurity" (id text not null primary key, createdAt datetime not null, password text, maxViews integer,
    restrictToRecipients boolean not null default false, shareId text);`

/** Milliseconds, as Prisma 6 writes times. */
const created = 1_764_000_000_000
const later = 4_102_444_800_000

export interface PingvinFixture extends SqliteFixture {
  readonly root: string
  /** Adds a share with the contents of its files by their names, and returns the paths of their bytes. */
  readonly share: (
    id: string,
    contents: Readonly<Record<string, string>>,
    row?: Cells,
    security?: Cells,
  ) => Promise<readonly string[]>
}

/** The hash of `open sesame`, as the module argon2 of npm writes it. */
export const passwordHash =
  '$argon2id$v=19$m=65536,t=3,p=4$c2FsdD8+fjJ+P34/fj9+Pw$fDf+ORN266yUoXcZPC/Z9Cm9TtTAlCdOEHCfOsjLTaU'

/** An installation without data, made by this test and not by Pingvin Share. */
export async function newPingvin(): Promise<PingvinFixture> {
  const root = await temporaryDirectory()
  const shares = join(root, 'data', 'uploads', 'shares')
  await mkdir(shares, { recursive: true })
  const database = sqliteFixture(join(root, 'data', 'pingvin-share.db'), schema)
  database.insert('_prisma_migrations', { id: '1', migration_name: '20250108150730_remove_is_zip_ready' })
  let files = 0
  return {
    ...database,
    root,
    async share(id, contents, row = {}, security) {
      const share = { id, createdAt: created, expiration: later, uploadLocked: 1, creatorId: 'id-of-ann' }
      database.insert('Share', { ...share, ...row })
      if (security !== undefined)
        database.insert('ShareSecurity', {
          id: `security of ${id}`,
          createdAt: created,
          shareId: id,
          ...security,
        })
      const paths = []
      for (const [name, content] of Object.entries(contents)) {
        files += 1
        const file = `00000000-0000-4000-8000-${String(files).padStart(12, '0')}`
        const path = join(shares, id, file)
        await mkdir(dirname(path), { recursive: true })
        await writeFile(path, content)
        const size = String(Buffer.byteLength(content))
        database.insert('File', { id: file, createdAt: created, name, size, shareId: id })
        paths.push(path)
      }
      return paths
    },
  }
}

/** Fills an installation with users and a share of each kind. */
export async function fillPingvin({ insert, share }: PingvinFixture): Promise<void> {
  const user = { createdAt: created, updatedAt: created }
  insert('User', {
    ...user,
    id: 'id-of-ann',
    username: 'ann',
    email: 'ann@example.test',
    password: passwordHash,
    isAdmin: 1,
  })
  insert('User', { ...user, id: 'id-of-ldap', username: 'lea', email: 'lea@example.test', ldapDN: 'cn=lea' })
  await share('plain', { 'b.txt': 'second', 'a.txt': 'first' }, { description: 'two files' })
  await share('my-own_link', { 'x.txt': 'x' }, { creatorId: null })
  await share('iso', { 'i.txt': 'i' }, { expiration: '2100-01-01T00:00:00.000+00:00' })
  await share('never', { 'n.txt': 'n' }, { expiration: 0, name: 'Named' })
  await share('protected', { 'p.txt': 'p' }, {}, { password: passwordHash })
  await share('views', { 'v.txt': 'v' }, { views: 3 }, { maxViews: 5 })
  await share('expired', { 'e.txt': 'e' }, { expiration: created + 1 })
  await share('removed', {}, { removedReason: 'malware' })
  await share('usedup', { 'u.txt': 'u' }, { views: 5 }, { maxViews: 5 })
  await share('open', { 'o.txt': 'o' }, { uploadLocked: 0 })
  await share('cloud', {}, { storageProvider: 'S3' })
  await share('restricted', { 'r.txt': 'r' }, {}, { restrictToRecipients: 1 })
}
