import { existsSync, globSync, readFileSync } from 'node:fs'
import { areAllRequired } from '../../../scripts/tests/programs.ts'

/** The machine's own mirror of Debian, if its packages come from one. */
export function debianMirror(): string | undefined {
  const files = ['/etc/apt/sources.list', ...globSync('/etc/apt/sources.list.d/*')].filter(existsSync)
  const urls = files.flatMap((file) => readFileSync(file, 'utf8').match(/https?:\/\/[^\s#]+/g) ?? [])
  return urls.map((url) => url.replace(/\/$/, '')).find((url) => url.endsWith('/debian'))
}

/**
 * The reason for skipping tests that install packages of Debian; null where a mirror can be reached.
 * @param what needs it, such as `bare machines`
 */
export async function mirrorSkipReason(what: string): Promise<string | null> {
  if (areAllRequired) return null
  const url = debianMirror()
  const response = url === undefined ? null : await fetch(url, { method: 'HEAD' }).catch(() => null)
  return response === null ? `${what} (with a Debian mirror of apt that can be reached)` : null
}
