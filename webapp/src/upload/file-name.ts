import { limits } from '@svc/contract'

/** Why the server would refuse a name (specification §8, rule 6, and its reading in the server). */
export type NameFault = 'empty' | 'long' | 'control' | 'direction' | 'segment' | 'broken'

const control = /[\p{Cc}\u2028\u2029]/u
const direction = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/**
 * Whether the server will take a file under this name. Asked before sending: one bad name would have the whole
 * upload refused.
 */
export function nameFault(name: string): NameFault | undefined {
  if (name === '') return 'empty'
  if (Array.from(name).length > limits.fileNameLength) return 'long'
  if (!name.isWellFormed()) return 'broken'
  if (control.test(name)) return 'control'
  if (direction.test(name)) return 'direction'
  if (name.split('/').some((segment) => segment === '' || segment === '.' || segment === '..'))
    return 'segment'
  return undefined
}
