import { headers } from '@svc/contract'
import { shellWord } from '@svc/terminal'

export interface CommandOptions {
  /** The user token of the upload. */
  readonly token?: string | undefined
  /** Shows a placeholder for a required token. */
  readonly needsToken?: boolean
  /** Options of the upload (docs/protocol.md#uploading). */
  readonly query?: Readonly<Record<string, string>>
}

/** The header as documented; servers ignore its case. */
const tokenHeader = headers.userToken.replace('x-svctoken', 'X-SvcToken')

function withToken({ token, needsToken }: CommandOptions): string {
  if (token !== undefined) return ` -H ${shellWord(`${tokenHeader}: ${token}`)}`
  return needsToken === true ? ` -H "${tokenHeader}: $SVC_TOKEN"` : ''
}

/** Sends one file and prints its link. */
export function quickUpload(baseURL: string, options: CommandOptions = {}): string {
  const query = new URLSearchParams(options.query).toString()
  const address = query === '' ? `${baseURL}/` : `${baseURL}/?${query}`
  return `curl${withToken(options)} -F file=@FILE ${shellWord(address)}`
}

/** Sends the output of another program. */
export const pipeUpload = (baseURL: string, options: CommandOptions = {}): string =>
  `tar cz FOLDER | curl${withToken(options)} -T - ${shellWord(`${baseURL}/folder.tar.gz`)}`

/** A shell function for the start file of a shell; takes any number of files. */
export const shellFunction = (baseURL: string, options: CommandOptions = {}): string =>
  `send() { for file; do curl${withToken(options)} -F "file=@$file" ${shellWord(`${baseURL}/`)}; done; }`

/** Sends one file from a terminal of Windows, where `curl` without `.exe` may be an alias. */
export const windowsUpload = (baseURL: string, { needsToken, token }: CommandOptions = {}): string => {
  const value = token ?? (needsToken === true ? '%SVC_TOKEN%' : undefined)
  const header = value === undefined ? '' : ` -H "${tokenHeader}: ${value}"`
  return `curl.exe${header} -F file=@FILE "${baseURL}/"`
}
