import { parse, stringify } from 'smol-toml'

type Value = string | boolean | undefined

/** The keys and values of a line; empty for a line that is only a part of a value. */
function valuesIn(line: string): Readonly<Record<string, unknown>> {
  try {
    return parse(line)
  } catch {
    return {}
  }
}

const isHeader = (line: string) => /^\s*\[/.test(line)

function isHeaderOf(line: string, profile: string): boolean {
  const { profiles } = valuesIn(line)
  return (
    isHeader(line) && typeof profiles === 'object' && profiles !== null && Object.hasOwn(profiles, profile)
  )
}

/** The comment after a value, with the space before it. */
function commentOf(line: string): string {
  const hashes = [...line.matchAll(/\s*#/g)].map(({ index }) => index)
  const start = hashes.find((index) => Object.keys(valuesIn(line.slice(0, index))).length > 0)
  return start === undefined ? '' : line.slice(start)
}

/**
 * Changes or removes one key of a profile in a file of settings, and keeps all other lines. The caller checks that the result
 * has the value, because this function does not support all of TOML.
 */
export function withSetting(text: string, profile: string, key: string, value: Value): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  const written = value === undefined ? [] : [stringify({ [key]: value }).trimEnd()]
  const header = lines.findIndex((line) => isHeaderOf(line, profile))
  if (header === -1)
    return joined([...lines, ...(lines.length > 0 ? [''] : []), headerOf(profile), ...written])
  const next = lines.findIndex((line, index) => index > header && isHeader(line))
  const own = lines.slice(header + 1, next === -1 ? undefined : next)
  const found = own.findIndex((line) => Object.hasOwn(valuesIn(line), key))
  if (found !== -1) own.splice(found, 1, ...written.map((line) => line + commentOf(own[found] ?? '')))
  else own.splice(own.findLastIndex((line) => Object.keys(valuesIn(line)).length > 0) + 1, 0, ...written)
  return joined([...lines.slice(0, header + 1), ...own, ...(next === -1 ? [] : lines.slice(next))])
}

const headerOf = (profile: string) => stringify({ profiles: { [profile]: {} } }).trimEnd()

const joined = (lines: readonly string[]) => `${lines.join('\n')}\n`
