import { createPrivateKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/**
 * Google's package sends requests without credentials when it cannot read them.
 * @throws an error that names the file and what is wrong, without anything of its content
 */
export async function checkKeyFile(path: string): Promise<void> {
  const fault = await faultOf(path)
  if (fault !== null) throw new Error(`DataBackendConfig.KeyFile: ${path} ${fault}`)
}

/** @returns null when the file has credentials of any type */
async function faultOf(path: string): Promise<string | null> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    return `cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
  if (text.trim() === '') return 'is empty'
  const credentials = parse(text)
  if (credentials === undefined) return 'is not JSON: is it whole?'
  if (typeof credentials['type'] !== 'string')
    return 'has no "type": is it the key file of a service account?'
  return credentials['type'] === 'service_account' ? faultOfServiceAccount(credentials) : null
}

type Credentials = Readonly<Record<string, unknown>>

/** @returns undefined when it is not JSON, an empty object for a value of another type */
function parse(text: string): Credentials | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Credentials) : {}
  } catch {
    return undefined
  }
}

function faultOfServiceAccount({ client_email: email, private_key: key }: Credentials): string | null {
  if (typeof email !== 'string' || email === '') return 'has no "client_email"'
  if (typeof key !== 'string' || key === '') return 'has no "private_key"'
  try {
    createPrivateKey(key)
    return null
  } catch {
    return 'is damaged: its "private_key" is not a PEM key'
  }
}
