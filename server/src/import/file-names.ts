import { fileNameFault, limits } from '@svc/contract'

/** The nearest name that this service accepts. */
export function acceptableName(name: string): string {
  if (fileNameFault(name) === undefined) return name
  const segments = Array.from(name)
    .map((character) => (fileNameFault(`a${character}a`) === undefined ? character : '_'))
    .slice(0, limits.fileNameLength)
    .join('')
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => (segment === '.' || segment === '..' ? '_' : segment))
  return segments.join('/') || 'file'
}
