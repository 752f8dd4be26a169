import { defaultUploadLogin, type Upload, withKey } from '@svc/contract'
import type { Client } from '@svc/sdk'
import { distinctPaths } from '../files/safe-path.ts'
import type { ChosenLock } from '../encryption/lock.ts'
import { errorMessage } from '../errors/error-message.ts'
import { shellWord } from '@svc/terminal'
import type { SendResult } from './run-upload.ts'

export interface Report {
  readonly client: Client
  readonly upload: Upload & { readonly uploadToken: string }
  readonly sent: readonly SendResult[]
  /** Login of a protected upload. */
  readonly login: string | undefined
  /** The encryption of the files. */
  readonly lock?: ChosenLock | undefined
}

/** Default paths of private keys. */
const keyFiles = { age: 'key.txt', 'ssh-ed25519': '~/.ssh/id_ed25519', 'ssh-rsa': '~/.ssh/id_rsa' } as const

/** A command that decrypts a pipe. It asks for the passphrase, or reads the private key from its default path. */
function decryption({ lock }: Report): readonly string[] | undefined {
  if (lock === undefined) return undefined
  const kinds = new Set(lock.recipients.map(({ kind }) => kind))
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
function curlLine(report: Report, { item, file }: SendResult, path: string): string {
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

const good = ({ sent }: Report) => sent.filter(({ error }) => error === undefined)

/** The page's link, and a line for each file. */
export function lines(report: Report): string[] {
  const { client, upload } = report
  const sent = good(report)
  const paths = distinctPaths(sent.map(({ file }) => file.fileName.split('/')))
  return [
    withKey(client.pageURL(upload), report.lock?.passphrase),
    '',
    ...sent.map((one, index) => curlLine(report, one, paths[index] ?? one.file.fileName)),
  ]
}

/** Only links, one for each file, for `curl`. */
export function links(report: Report): string[] {
  const { client, upload, lock } = report
  return good(report).map(({ file }) => withKey(client.fileURL(upload, file), lock?.passphrase))
}

/** Everything, for scripts. */
export function value(report: Report): unknown {
  const { client, upload, sent, lock } = report
  const key = lock?.passphrase
  return {
    id: upload.id,
    url: withKey(client.pageURL(upload), key),
    adminURL: withKey(client.pageURL(upload, { uploadToken: upload.uploadToken }), key),
    archiveURL: upload.stream ? null : client.archiveURL(upload),
    uploadToken: upload.uploadToken,
    expireAt: upload.expireAt,
    ttl: upload.ttl,
    oneShot: upload.oneShot,
    removable: upload.removable,
    stream: upload.stream,
    protectedByPassword: upload.protectedByPassword,
    e2ee: upload.e2ee,
    ...(key !== undefined && { passphrase: key }),
    files: sent.map(({ item, file, error }) => ({
      name: item.name,
      ...(error === undefined && {
        id: file.id,
        url: withKey(client.fileURL(upload, file), key),
        size: file.fileSize,
        type: file.type,
        md5: file.md5,
      }),
      status: error === undefined ? file.status : 'failed',
      ...(error !== undefined && { error: errorMessage(error) }),
    })),
  }
}
