import { isUtf8 } from 'node:buffer'
import { lstat, opendir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '../../domain/command-error.ts'
import { importUploads } from '../import-uploads.ts'
import type { Finding, FindingKind } from '../findings.ts'
import type { ImportRun } from '../run.ts'
import { readingSource } from '../reading/unreadable-source.ts'
import { uploadOf, type TransferFile } from './files.ts'
import { parseMetadata, type TransferMetadata } from './metadata.ts'

const suffix = '.metadata'

/** Bytes of a name in the file systems of Linux. */
const longestName = 255

/** Files whose metadata are in memory at once. */
const filesPerPage = 500

/** The bytes of metadata; more is not read. */
const largestMetadata = 64 * 1024

/**
 * Imports the files of a directory of transfer.sh (`--basedir`).
 * @throws CommandError when it cannot be read, or is none
 */
export async function importTransferSh(run: ImportRun, directory: string): Promise<void> {
  const uploadsOf = (files: readonly TransferFile[]) =>
    files.map((file) => uploadOf(file, { root: directory, now: run.now }))
  let page: TransferFile[] = []
  let found = 0
  const onStray = (name: string) => {
    const detail = 'it is not in the directory of a token'
    run.findings.add({ kind: 'orphan', sourceId: name, file: null, detail })
  }
  for await (const file of filesIn(directory, onStray)) {
    found += 1
    if ('kind' in file) run.findings.add(file)
    else page.push(file)
    if (page.length < filesPerPage) continue
    await importUploads(run, uploadsOf(page))
    page = []
  }
  if (found === 0)
    throw new CommandError(
      `${directory} has no files of transfer.sh (TOKEN/NAME and TOKEN/NAME.metadata): name its --basedir`,
    )
  await importUploads(run, uploadsOf(page))
}

/** @param onStray called with the names of files that are in no directory of the service */
async function* filesIn(
  directory: string,
  onStray: (name: string) => void,
): AsyncGenerator<TransferFile | Finding> {
  const tokens = await readingSource(() => opendir(directory)).catch((cause: unknown) => {
    if (cause instanceof CommandError) throw cause
    throw new CommandError(`the directory ${directory} of transfer.sh cannot be read`, cause)
  })
  for await (const token of tokens) {
    if (token.isFile()) onStray(token.name)
    // Other directories, such as lost+found, are none of transfer.sh.
    if (!/^[0-9A-Za-z]+$/.test(token.name)) continue
    if (token.isDirectory()) yield* filesOf(join(directory, token.name), token.name)
    else if (token.isSymbolicLink())
      yield { kind: 'refused', sourceId: token.name, file: null, detail: unreadable(token) }
  }
}

/** Why an entry that is not a file is not read. */
function unreadable(entry: { readonly isSymbolicLink: () => boolean; readonly isDirectory: () => boolean }) {
  if (entry.isSymbolicLink()) return 'it is a symbolic link, which is not followed'
  return entry.isDirectory() ? 'it is a directory' : 'it is a special file, such as a FIFO'
}

/** Names are read as bytes: those that are not UTF-8 would become others. */
async function* filesOf(directory: string, token: string): AsyncGenerator<TransferFile | Finding> {
  for (const entry of await readingSource(() =>
    readdir(directory, { withFileTypes: true, encoding: 'buffer' }),
  )) {
    const name = entry.name.toString()
    const findingOf = (kind: FindingKind, shown: string, detail: string): Finding => ({
      kind,
      sourceId: `${token}/${shown}`,
      file: null,
      detail,
    })
    const refusalOf = (shown: string, detail: string) => findingOf('refused', shown, detail)
    if (!isUtf8(entry.name)) yield refusalOf(asciiOf(entry.name), 'its name is not UTF-8')
    else if (!entry.isFile()) yield refusalOf(name, unreadable(entry))
    else if (await isMetadata(directory, name)) {
      if ((await statOf(join(directory, name.slice(0, -suffix.length)))) === null)
        yield findingOf('orphan', name, 'it is taken for the metadata of a file that is not there')
    } else if (entry.name.length + suffix.length > longestName)
      yield refusalOf(name, 'its name is too long to have metadata, so its limits are unknown')
    else {
      const path = join(directory, name)
      const { mtimeMs } = await lstat(path)
      yield { token, name, metadata: await metadataOf(`${path}${suffix}`), writtenAt: mtimeMs }
    }
  }
}

/** The bytes of a name, with those outside of ASCII as `\\xff`. */
const asciiOf = (name: Uint8Array): string =>
  Array.from(name, (byte) =>
    byte < 0x80 ? String.fromCharCode(byte) : String.raw`\x${byte.toString(16)}`,
  ).join('')

/** A file that was sent may have a name that ends like metadata. */
async function isMetadata(directory: string, name: string): Promise<boolean> {
  return name.endsWith(suffix) && (await statOf(join(directory, `${name}${suffix}`))) === null
}

async function metadataOf(path: string): Promise<TransferMetadata | 'damaged' | null> {
  const stats = await statOf(path)
  if (stats === null) return null
  if (!stats.isFile() || stats.size > largestMetadata) return 'damaged'
  return parseMetadata(await readingSource(() => readFile(path, 'utf8'))) ?? 'damaged'
}

/** No file has a name that is too long. */
const absent: ReadonlySet<unknown> = new Set(['ENOENT', 'ENAMETOOLONG'])

const statOf = (path: string) =>
  readingSource(() => lstat(path)).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && absent.has(error.code)) return null
    throw error
  })
