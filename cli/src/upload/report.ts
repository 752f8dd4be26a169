import { defaultUploadLogin, withKey } from '@svc/contract'
import type { Client } from '@svc/sdk'
import { distinctPaths } from '../files/safe-path.ts'
import type { ChosenKey } from '../encryption/choose-key.ts'
import { errorMessage } from '../errors/error-message.ts'
import { shellWord } from '@svc/terminal'
import { isLeftOut, type Item, type Problem } from '../files/item.ts'
import { isSent, type CreatedUpload, type Sent, type SendResult } from './sending/run-upload.ts'

export interface Report {
  readonly client: Client
  readonly upload: CreatedUpload
  readonly results: readonly SendResult[]
  /** Login of a protected upload. */
  readonly login: string | undefined
  /** The encryption of the files. */
  readonly chosenKey?: ChosenKey | undefined
  /** The mark of its manifest, if it has one. */
  readonly manifest?: string | undefined
  /** Paths of the command line that are not sent, among others. */
  readonly problems: readonly Problem[]
}

/** Default paths of private keys. */
const keyFiles = { age: 'key.txt', 'ssh-ed25519': '~/.ssh/id_ed25519', 'ssh-rsa': '~/.ssh/id_rsa' } as const

/** A command that decrypts a pipe. It asks for the passphrase, or reads the private key from its default path. */
function decryption({ chosenKey }: Report): readonly string[] | undefined {
  if (chosenKey === undefined) return undefined
  const kinds = new Set(chosenKey.recipients.map(({ kind }) => kind))
  const [kind] = kinds
  return [
    'age',
    '--decrypt',
    ...(kind === undefined ? [] : ['-i', kinds.size === 1 ? keyFiles[kind] : 'key.txt']),
  ]
}

const line = (words: readonly string[]) =>
  words.map((word) => (word.startsWith('~/') ? word : shellWord(word))).join(' ')

/**
 * A command for any shell that downloads the file. It asks for a password.
 * @param path path of the file
 */
function curlLine(report: Report, { item, file }: Sent, path: string): string {
  const { client, upload, login } = report
  const unpack = item.kind === 'stream' ? item.unpack : undefined
  const decrypt = decryption(report)
  const output = ['-o', path.startsWith('-') ? `./${path}` : path]
  const piped = unpack !== undefined || decrypt !== undefined
  const inFolder = path.includes('/')
  const curl = [
    'curl',
    '-f',
    ...(upload.protectedByPassword ? ['-u', login ?? defaultUploadLogin] : []),
    ...(piped ? [] : [...(inFolder ? ['--create-dirs'] : []), ...output]),
    client.fileURL(upload, file),
  ]
  const age = decrypt === undefined ? [] : [line([...decrypt, ...(unpack === undefined ? output : [])])]
  const pipe = [line(curl), ...age, ...(unpack === undefined ? [] : [line(unpack)])].join(' | ')
  const folder = path.slice(0, path.lastIndexOf('/'))
  return piped && inFolder && unpack === undefined ? `${line(['mkdir', '-p', folder])} && ${pipe}` : pipe
}

const good = ({ results }: Report): readonly Sent[] => results.filter(isSent)

/** The page's link, with the alias if there is one. */
export const page = (report: Report): string => {
  const { client, upload } = report
  return secretLink(report, upload.alias === undefined ? client.pageURL(upload) : client.shortURL(upload))
}

/** A link with what recipients need and no server sees. */
const secretLink = ({ chosenKey, manifest }: Report, url: string): string =>
  withKey(url, chosenKey?.passphrase, manifest)

/** The page's link, and a line for each file. */
export function lines(report: Report): string[] {
  const sent = good(report)
  const paths = distinctPaths(sent.map(({ file }) => file.fileName.split('/')))
  return [
    page(report),
    '',
    ...sent.map((sentFile, index) => curlLine(report, sentFile, paths[index] ?? sentFile.file.fileName)),
  ]
}

/** Only links, one for each file, for `curl`. */
export function links(report: Report): string[] {
  const { client, upload } = report
  return good(report).map(({ file }) => secretLink(report, client.fileURL(upload, file)))
}

const pathOf = (item: Item): string => (item.kind === 'file' ? item.path : item.name)

/** Everything that is not sent, and why. */
export const notSent = ({ results, problems }: Pick<Report, 'results' | 'problems'>) => [
  ...leftOut(problems),
  ...results.flatMap(({ item, error }) =>
    error === undefined
      ? []
      : [{ path: pathOf(item), status: 'failed' as const, reason: errorMessage(error) }],
  ),
]

/** The paths of the command line that are not sent, and why. */
export const leftOut = (problems: readonly Problem[]) =>
  problems.filter(isLeftOut).map(({ path, kind, reason }) => ({ path, status: kind, reason }))

/** Everything, for scripts. */
export function value(report: Report): unknown {
  const { client, upload, results, chosenKey } = report
  const key = chosenKey?.passphrase
  return {
    id: upload.id,
    url: page(report),
    ...(upload.alias !== undefined && { alias: upload.alias }),
    adminURL: secretLink(report, client.pageURL(upload, { uploadToken: upload.uploadToken })),
    archiveURL: upload.stream ? null : client.archiveURL(upload),
    uploadToken: upload.uploadToken,
    expireAt: upload.expireAt,
    ttl: upload.ttl,
    oneShot: upload.oneShot,
    ...(upload.maxDownloads !== undefined && { maxDownloads: upload.maxDownloads }),
    removable: upload.removable,
    stream: upload.stream,
    protectedByPassword: upload.protectedByPassword,
    e2ee: upload.e2ee,
    ...(key !== undefined && { passphrase: key }),
    files: results.map((result) => ({ name: result.item.name, ...fileValue(report, result) })),
    notSent: notSent(report),
  }
}

function fileValue(report: Report, result: SendResult): object {
  const { client, upload } = report
  if (!isSent(result)) return { status: 'failed', error: errorMessage(result.error) }
  const { file } = result
  return {
    id: file.id,
    url: secretLink(report, client.fileURL(upload, file)),
    size: file.fileSize,
    type: file.type,
    md5: file.md5,
    status: file.status,
  }
}
