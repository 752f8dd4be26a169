import { accessHeaders, type Access, type Credentials } from '@svc/sdk'
import { startDownload } from '../base/start-download.ts'

/** Up to this many bytes a protected file is fetched into memory and saved from there. */
const inMemory = 64_000_000

export interface ProtectedDownload {
  readonly url: string
  readonly fileName: string
  /** Bytes, as far as they are known. */
  readonly size: number
}

/** Without cookies and stored passwords: with them a refusal would open the browser's password window. */
async function fetchBytes(url: string, access: Access): Promise<Blob | undefined> {
  try {
    const response = await fetch(url, { credentials: 'omit', headers: accessHeaders(access) })
    if (!response.ok) return undefined
    // As plain bytes: by a media type, browsers would add an ending to names that have none.
    return new Blob([await response.blob()], { type: 'application/octet-stream' })
  } catch {
    // Another domain that this page may not read from, or no connection: a navigation says what is wrong.
    return undefined
  }
}

async function saveFromMemory({ url, fileName }: ProtectedDownload, access: Access): Promise<boolean> {
  const bytes = await fetchBytes(url, access)
  if (!bytes) return false
  const address = URL.createObjectURL(bytes)
  startDownload(address, fileName)
  // The browser has taken hold of the blob by the next turn of its loop; a minute is on the safe side.
  setTimeout(() => {
    URL.revokeObjectURL(address)
  }, 60_000)
  return true
}

/** Has the browser remember login and password for an address, by a request that carries them. */
function teachBrowser(url: string, { login, password }: Credentials): Promise<void> {
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
 * A link cannot carry credentials: browsers refuse `https://login:password@host` in places, and no header can be
 * put on a navigation. A small file is therefore fetched with the header and saved from memory. A large one must
 * not go through memory: the browser learns the credentials by a HEAD request, which consumes nothing, and then
 * downloads by itself, with its own progress and resuming. A browser that does not learn this way asks for login
 * and password in its own window, so that nothing is lost but convenience.
 */
export async function saveProtected(download: ProtectedDownload, access: Access): Promise<void> {
  // Who was let in without showing anything is the owner, whose cookie goes with a link by itself.
  const isShown = access.credentials !== undefined || access.uploadToken !== undefined
  if (isShown && download.size <= inMemory && (await saveFromMemory(download, access))) return
  if (access.credentials) await teachBrowser(download.url, access.credentials)
  startDownload(download.url, download.fileName)
}
