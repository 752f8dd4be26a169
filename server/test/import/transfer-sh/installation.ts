import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'

/** What transfer.sh 1.6 writes for a file without limits. */
const metadata = {
  ContentType: 'text/plain; charset=utf-8',
  Downloads: 0,
  MaxDownloads: -1,
  MaxDate: '0001-01-01T00:00:00Z',
  DeletionToken: 'deletetoken1',
  Encrypted: false,
  DecryptedContentType: '',
}

export interface TransferFixture {
  readonly root: string
  /** Adds a file with its metadata. */
  readonly file: (
    token: string,
    name: string,
    content: string,
    changes?: Readonly<Record<string, unknown>>,
  ) => Promise<void>
}

/** A directory without files, made by this test and not by transfer.sh. */
export async function newTransferSh(): Promise<TransferFixture> {
  const root = await temporaryDirectory()
  return {
    root,
    async file(token, name, content, changes = {}) {
      await mkdir(join(root, token), { recursive: true })
      await writeFile(join(root, token, name), content)
      const ContentLength = Buffer.byteLength(content)
      await writeFile(
        join(root, token, `${name}.metadata`),
        `${JSON.stringify({ ...metadata, ContentLength, ...changes })}\n`,
      )
    },
  }
}

/** Fills a directory with a file of each kind. */
export async function fillTransferSh({ root, file }: TransferFixture): Promise<void> {
  await file('aB3dE6', 'plain.txt', 'plain text')
  await file('aB3dE7', 'one.txt', 'one')
  await file('aB3dE7', 'two ä.txt', 'two')
  await file('once11', 'once.txt', 'once', { MaxDownloads: 5, Downloads: 4 })
  await file('thrice', 'thrice.txt', 'thrice', { MaxDownloads: 3 })
  await file('ending', 'ending.txt', 'ending', { MaxDate: '2100-01-01T00:00:00.5+02:00' })
  await file('before', 'v1.1.txt', 'older', { MaxDownloads: 99_999_999, ContentLength: undefined })
  await file('expire', 'expired.txt', 'expired', { MaxDate: '2025-11-24T00:00:00Z' })
  await file('usedup', 'used-up.txt', 'used up', { MaxDownloads: 1, Downloads: 1 })
  await file('sealed', 'sealed.txt', '-----BEGIN PGP MESSAGE-----', { Encrypted: true, ContentLength: 3 })
  await file('packed', 'packed.txt', 'packed', { Compressed: true })
  await file('notes1', 'notes.metadata', 'a file with such a name')
  await mkdir(join(root, 'naked1'))
  await writeFile(join(root, 'naked1', 'naked.txt'), 'no metadata')
  await writeFile(join(root, 'naked1', 'cut.txt.metadata'), JSON.stringify(metadata))
  await mkdir(join(root, 'lost+found'))
}
