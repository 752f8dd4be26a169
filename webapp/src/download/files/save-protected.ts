import { accessHeaders, ApiError, responseError, type Access, type Credentials } from '@svc/sdk'
import { saveBlob } from '../../base/browser/save-blob.ts'
import { startDownload } from '../../base/browser/start-download.ts'

/** Maximum bytes of a protected file that is saved from memory. */
const maxMemoryBytes = 64_000_000

export interface ProtectedDownload {
  readonly url: string
  readonly fileName: string
  /** Bytes. */
  readonly size: number
}

async function refusalOf(response: Response): Promise<ApiError> {
  const { status, statusText, headers } = response
  return responseError({
    status,
    statusText,
    text: await response.text(),
    header: (name) => headers.get(name),
  })
}

/**
 * Omits cookies and stored passwords: with them, a refusal would open the browser's password dialog.
 * @throws ApiError when the server refuses
 */
async function fetchBytes(url: string, access: Access): Promise<Blob | undefined> {
  let response: Response
  try {
    response = await fetch(url, { credentials: 'omit', headers: accessHeaders(access) })
  } catch {
    // A domain that refuses this page, or no connection: a navigation shows the error.
    return undefined
  }
  if (!response.ok) throw await refusalOf(response)
  try {
    return await response.blob()
  } catch (cause) {
    throw new ApiError(0, 'network', 'the connection was cut', { cause })
  }
}

async function saveFromMemory({ url, fileName }: ProtectedDownload, access: Access): Promise<boolean> {
  const bytes = await fetchBytes(url, access)
  if (!bytes) return false
  saveBlob(bytes, fileName)
  return true
}

/** Makes the browser remember login and password for an address, by a request with both. */
function rememberCredentials(url: string, { login, password }: Credentials): Promise<void> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.onloadend = () => {
      resolve()
    }
    request.open('HEAD', url, true, login, password)
    request.send()
  })
}

/**
 * Saves a file of a protected upload.
 *
 * A link cannot contain credentials: some browsers refuse `https://login:password@host`, and a navigation has no custom
 * headers. So a small file is fetched with the header and saved from memory. For a large one, a HEAD request, which consumes
 * no download, makes the browser remember the credentials, and the browser downloads the file. A browser that does not
 * remember them asks for login and password.
 */
export async function saveProtected(download: ProtectedDownload, access: Access): Promise<void> {
  // Access without credentials means the owner, whose cookie the browser sends with a link.
  const isShown = access.credentials !== undefined || access.uploadToken !== undefined
  if (isShown && download.size <= maxMemoryBytes && (await saveFromMemory(download, access))) return
  if (access.credentials) await rememberCredentials(download.url, access.credentials)
  startDownload(download.url, download.fileName)
}
