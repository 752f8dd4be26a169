import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { sqliteFixture, type Cells, type SqliteFixture } from '../sqlite-fixture.ts'

/** The tables of Gokapi 2.2.0 that have records, from its source. */
const schema = `
  create table Users (Id integer not null unique, Name text not null unique, Password text, Permissions integer not null,
    Userlevel integer not null, LastOnline integer not null default 0, ResetPassword integer not null default 0,
    primary key (Id autoincrement));
  create table ApiKeys (Id text not null unique, FriendlyName text not null, LastUsed integer not null,
    Permissions integer not null default 0, Expiry integer, IsSystemKey integer, UserId integer not null,
    PublicId text not null unique, UploadRequestId text not null, primary key (Id)) without rowid;
  create table FileMetaData (Id text not null unique, Name text not null, Size text not null, SHA1 text not null,
    ExpireAt integer not null, SizeBytes integer not null, DownloadsRemaining integer not null,
    DownloadCount integer not null, PasswordHash text not null, HotlinkId text not null, ContentType text not null,
    AwsBucket text not null, Encryption blob not null, UnlimitedDownloads integer not null,
    UnlimitedTime integer not null, UserId integer not null, UploadDate integer not null,
    PendingDeletion integer not null, UploadRequestId text not null, primary key (Id));
  pragma user_version = 13;`

/** What encoding/gob of Go writes for the struct of Gokapi, before the value. */
const gobType =
  '5f7f0301010e456e6372797074696f6e496e666f01ff80000104010b4973456e6372797074656401020001134973456e64546f456e64456e63727970746564010200010d44656372797074696f6e4b6579010a0001054e6f6e6365010a000000'

/** The column of a file without encryption, with one of the server, and with one from end to end, as Go writes them. */
export const encryption = {
  none: Buffer.from(`${gobType}03ff8000`, 'hex'),
  server: Buffer.from(`${gobType}0eff80010102030102030102040500`, 'hex'),
  endToEnd: Buffer.from(`${gobType}07ff800101010100`, 'hex'),
}

export const salt = 'LW6fW4Pjv8GtdWVLSZD66gYEev6NAaXxOVBw7C'

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')

/** The hash of the password of a file. */
export const passwordHash = (password: string): string => sha1(password + salt)

export interface GokapiFixture extends SqliteFixture {
  readonly root: string
  /** Adds a file, and returns the path of its bytes. */
  readonly file: (id: string, content: string, row?: Cells) => Promise<string>
}

/** 1 January 2100, in seconds. */
const later = 4_102_444_800

/** An installation without data, made by this test and not by Gokapi. */
export async function newGokapi(): Promise<GokapiFixture> {
  const root = await temporaryDirectory()
  const data = join(root, 'data')
  await mkdir(data)
  await mkdir(join(root, 'config'))
  await writeFile(
    join(root, 'config', 'config.json'),
    JSON.stringify({
      Authentication: { Method: 0, SaltAdmin: 'another', SaltFiles: salt },
      DataDir: 'data',
      DatabaseUrl: 'sqlite://./data/gokapi.sqlite',
    }),
  )
  const database = sqliteFixture(join(data, 'gokapi.sqlite'), schema)
  return {
    ...database,
    root,
    async file(id, content, row = {}) {
      const hash = sha1(content)
      const path = join(data, hash)
      await writeFile(path, content)
      database.insert('FileMetaData', {
        Id: id,
        Name: `${id}.txt`,
        Size: '1 B',
        SHA1: hash,
        ExpireAt: later,
        SizeBytes: Buffer.byteLength(content),
        DownloadsRemaining: 0,
        DownloadCount: 3,
        PasswordHash: '',
        HotlinkId: '',
        ContentType: 'text/plain',
        AwsBucket: '',
        Encryption: encryption.none,
        UnlimitedDownloads: 1,
        UnlimitedTime: 0,
        UserId: 1,
        UploadDate: 1_764_000_000,
        PendingDeletion: 0,
        UploadRequestId: '',
        ...row,
      })
      return path
    },
  }
}

/** Fills an installation with users and a file of each kind. */
export async function fillGokapi({ insert, file }: GokapiFixture): Promise<void> {
  const user = { Password: sha1('secret'), Permissions: 255 }
  insert('Users', { ...user, Id: 1, Name: 'admin', Userlevel: 0 })
  insert('Users', { ...user, Id: 2, Name: 'Ben', Userlevel: 2 })
  insert('ApiKeys', {
    Id: 'k'.repeat(30),
    FriendlyName: 'laptop',
    LastUsed: 0,
    UserId: 1,
    PublicId: 'p',
    UploadRequestId: '',
  })
  await file('plain', 'plain text')
  await file('same', 'plain text', { UserId: 2, HotlinkId: 'hot.png', Name: 'ä b.png' })
  await file('protected', 'for friends', { PasswordHash: passwordHash('open sesame') })
  await file('once', 'once', { UnlimitedDownloads: 0, DownloadsRemaining: 1 })
  await file('thrice', 'thrice', { UnlimitedDownloads: 0, DownloadsRemaining: 3 })
  await file('forever', 'forever', { UnlimitedTime: 1, ExpireAt: 0 })
  await file('expired', 'expired', { ExpireAt: 1_764_000_001 })
  await file('usedup', 'used up', { UnlimitedDownloads: 0 })
  await file('pending', 'pending', { PendingDeletion: 1_764_000_001 })
  await file('encrypted', 'ciphertext', { Encryption: encryption.server })
  await file('e2e', 'ciphertext', { Encryption: encryption.endToEnd, SHA1: 'e2e-1234' })
  await file('cloud', 'elsewhere', { AwsBucket: 'bucket' })
}
