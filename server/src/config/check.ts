import { formatDuration } from './durations.ts'
import { reasonOf, type ReadFile } from './environment-settings.ts'
import type { OptionKey, OptionValues } from './options.ts'

/** Values that are sound each, and wrong together. */
export interface Contradiction {
  /** The key to change. */
  readonly key: OptionKey
  /** The keys that make its value wrong. */
  readonly because: readonly OptionKey[]
  readonly message: string
}

/** Finds what no single key can tell. @param readFile used to see that certificate and key can be read */
export function contradictions(values: OptionValues, readFile: ReadFile): readonly Contradiction[] {
  return [
    ...lifetimes(values),
    ...certificate('SslCert', values, readFile),
    ...certificate('SslKey', values, readFile),
  ]
}

function lifetimes({ DefaultTTLStr, MaxTTLStr }: OptionValues): readonly Contradiction[] {
  if (MaxTTLStr <= 0) return []
  if (DefaultTTLStr > 0 && DefaultTTLStr <= MaxTTLStr) return []
  const message = `${formatDuration(DefaultTTLStr)} is above MaxTTLStr (${formatDuration(MaxTTLStr)}): lower it, or raise MaxTTLStr`
  return [{ key: 'DefaultTTLStr', because: ['MaxTTLStr'], message }]
}

function certificate(
  key: 'SslCert' | 'SslKey',
  values: OptionValues,
  readFile: ReadFile,
): readonly Contradiction[] {
  const path = values[key]
  if (!values.SslEnabled) return []
  const because = ['SslEnabled'] as const
  if (path === '') return [{ key, because, message: 'is needed by SslEnabled: write the path of a PEM file' }]
  try {
    readFile(path)
    return []
  } catch (error) {
    return [{ key, because, message: `the file ${path} cannot be read: ${reasonOf(error)}` }]
  }
}
