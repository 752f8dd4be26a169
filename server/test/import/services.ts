import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fillGokapi, newGokapi } from './gokapi/installation.ts'
import { fillPingvin, newPingvin } from './pingvin/installation.ts'
import { fillTransferSh, newTransferSh } from './transfer-sh/installation.ts'

/** A service whose installation is a directory, for tests that all of them pass. */
export interface Service {
  readonly name: 'gokapi' | 'transfer.sh' | 'pingvin'
  /** Makes an installation with a file of each kind, and returns its directory. */
  readonly fill: () => Promise<string>
  /** Makes an installation with a number of uploads that have one file each. */
  readonly many: (uploads: number) => Promise<string>
  /** What a run over the filled installation adds. */
  readonly records: string
  /** The last lines of the report of the filled installation. */
  readonly leftOut: readonly string[]
  /** The database below the directory; null without one. */
  readonly database: string | null
}

export const services: readonly Service[] = [
  {
    name: 'gokapi',
    records: '2 users, 0 tokens, 6 uploads, 6 files',
    leftOut: [
      'uploads left out: 1 removed, 1 expired, 1 used up',
      'needs attention: 2 new password, 1 changed, 3 refused',
    ],
    database: join('data', 'gokapi.sqlite'),
    async fill() {
      const gokapi = await newGokapi()
      await fillGokapi(gokapi)
      gokapi.close()
      return gokapi.root
    },
    async many(uploads) {
      const gokapi = await newGokapi()
      gokapi.insert('Users', { Id: 1, Name: 'admin', Userlevel: 0, Permissions: 255 })
      gokapi.run('begin')
      for (let number = 0; number < uploads; number += 1)
        await gokapi.file(`file${String(number)}`, `content ${String(number)}`)
      gokapi.run('commit')
      gokapi.close()
      return gokapi.root
    },
  },
  {
    name: 'transfer.sh',
    records: '0 users, 0 tokens, 10 uploads, 10 files',
    leftOut: ['uploads left out: 1 expired, 1 used up', 'needs attention: 1 refused, 1 changed, 1 orphan'],
    database: null,
    async fill() {
      const transfer = await newTransferSh()
      await fillTransferSh(transfer)
      return transfer.root
    },
    async many(uploads) {
      const transfer = await newTransferSh()
      for (let number = 0; number < uploads; number += 1)
        await transfer.file(`t${String(number)}`, 'file.txt', `content ${String(number)}`)
      return transfer.root
    },
  },
  {
    name: 'pingvin',
    records: '2 users, 0 tokens, 6 uploads, 7 files',
    leftOut: [
      'uploads left out: 1 removed, 1 expired, 1 used up',
      'needs attention: 1 new password, 3 refused, 1 changed',
    ],
    database: join('data', 'pingvin-share.db'),
    async fill() {
      const pingvin = await newPingvin()
      await fillPingvin(pingvin)
      pingvin.close()
      return pingvin.root
    },
    async many(uploads) {
      const pingvin = await newPingvin()
      pingvin.run('begin')
      for (let number = 0; number < uploads; number += 1)
        await pingvin.share(
          `share${String(number)}`,
          { 'a.txt': `content ${String(number)}` },
          { creatorId: null },
        )
      pingvin.run('commit')
      pingvin.close()
      return pingvin.root
    },
  },
]

/** Removes the files that SQLite keeps beside a database. */
export const withoutLog = (path: string): Promise<unknown> =>
  Promise.all(['-wal', '-shm'].map((end) => rm(`${path}${end}`, { force: true })))
