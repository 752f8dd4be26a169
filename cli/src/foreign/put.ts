import { withRetries, type Connection, type RetryPolicy, type StreamSource } from '@svc/sdk'
import { foreignError } from '../addresses/foreign-error.ts'

/** A file for a server that takes `PUT`, as transfer.sh does. */
export interface PutFile {
  readonly address: URL
  /** The bytes from the beginning, for each attempt. */
  readonly open: () => StreamSource
  /** Whether `open` may be called again. */
  readonly isRepeatable: boolean
  readonly connection: Connection
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly retryPolicy: RetryPolicy
  /** @param sent bytes of this attempt */
  readonly onProgress: (sent: number) => void
}

export interface PutResult {
  /** The link that the server responds with; otherwise the address of the file. */
  readonly link: string
  /** The address at which transfer.sh deletes the file. */
  readonly deleteURL: string | undefined
}

/**
 * Sends a file in one request.
 * @throws ApiError, the signal's reason
 */
export async function sendByPut(file: PutFile): Promise<PutResult> {
  const send = async () => {
    try {
      return await attempt(file)
    } catch (error) {
      throw foreignError(error, file.address)
    }
  }
  return file.isRepeatable ? withRetries(file.retryPolicy, send) : send()
}

async function attempt({
  address,
  open,
  connection,
  headers,
  signal,
  onProgress,
}: PutFile): Promise<PutResult> {
  onProgress(0)
  const response = await connection.sendPart(address.pathname + address.search, {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream', ...headers },
    body: open(),
    onProgress: ({ sent }) => {
      onProgress(sent)
    },
    signal,
  })
  const stated = linkIn(response.text) ?? response.header('location')
  return {
    link: (stated === null ? null : URL.parse(stated, address))?.href ?? address.href,
    deleteURL: linkIn(response.header('x-url-delete') ?? '') ?? undefined,
  }
}

/** The first line of a text, if it is an address of the web. */
function linkIn(text: string): string | null {
  const [first = ''] = text.trim().split(/\s/)
  const url = URL.parse(first)
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url.href : null
}
