import { peekable, type ByteReader } from '../base/byte-source.ts'
import { concat, startsWith, utf8 } from '../base/bytes.ts'
import { EncryptionError } from '../base/error.ts'

const beginning = '-----BEGIN AGE ENCRYPTED FILE-----'
const ending = '-----END AGE ENCRYPTED FILE-----'
/** Bytes of base64 in every line but the last (RFC 7468 §2, strict). */
const lineBytes = 64
const dashes = utf8('-----')
/** Bytes of white space that are accepted before and after the armor. */
const maxBlank = 1024
/** Longer lines are not part of an armored file, so they are not collected. */
const maxLineBytes = 1024

const isBlank = (text: string) => text.trim() === ''
const armorError = (message: string) => new EncryptionError('bad_armor', message)

/** The lines of a stream of text, without line breaks. */
async function* linesOf(reader: ByteReader): AsyncGenerator<string> {
  const decoder = new TextDecoder('latin1')
  let rest = ''
  for (let piece = await reader.pull(); piece !== undefined; piece = await reader.pull()) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > maxLineBytes) throw armorError('a line of the armor is too long')
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line
  }
  if (rest !== '') yield rest
}

/**
 * The bytes of a line.
 * @throws EncryptionError `bad_armor` unless the line is canonical base64
 */
function decodedLine(line: string): Uint8Array {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(line) || line.length % 4 !== 0 || line.length > lineBytes) {
    throw armorError('a line of the armor is damaged')
  }
  const text = atob(line)
  if (btoa(text) !== line) throw armorError('a line of the armor is damaged')
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

async function requireBlankRest(lines: AsyncGenerator<string>): Promise<void> {
  let blank = 0
  for await (const line of lines) {
    blank += line.length + 1
    if (!isBlank(line) || blank > maxBlank) throw armorError('something follows the armor')
  }
}

async function skipToBeginning(lines: AsyncGenerator<string>): Promise<void> {
  let blank = 0
  // Not `for await`, which would end the lines with the loop.
  for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
    if (line.value === beginning) return
    blank += line.value.length + 1
    if (!isBlank(line.value) || blank > maxBlank) break
  }
  throw armorError('the first line of the armor is damaged')
}

async function* decoded(lines: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  await skipToBeginning(lines)
  let pieces: Uint8Array[] = []
  let wasShort = false
  for (let line = await lines.next(); ; line = await lines.next()) {
    if (line.done === true) throw new EncryptionError('truncated', 'the last line of the armor is missing')
    if (line.value === ending) break
    if (wasShort) throw armorError('a line of the armor is too short')
    wasShort = line.value.length < lineBytes
    pieces.push(decodedLine(line.value))
    // Lines have 48 bytes: they are collected, because each chunk has a cost.
    if (pieces.length < 256) continue
    yield concat(pieces)
    pieces = []
  }
  // The end is verified before the last bytes are returned.
  await requireBlankRest(lines)
  yield concat(pieces)
}

/**
 * The armor of a small file: its base64 in lines, as text (age v1, "ASCII armor").
 * @param bytes the binary file, at most some hundred kilobytes
 */
export function armored(bytes: Uint8Array): string {
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  const lines = base64.match(new RegExp(`.{1,${String(lineBytes)}}`, 'g')) ?? []
  return [beginning, ...lines, ending, ''].join('\n')
}

/** Whether a file is armored; undefined while too few of its bytes are known. */
function isArmored(start: Uint8Array): boolean | undefined {
  const visible = start.findIndex((byte) => !isBlank(String.fromCharCode(byte)))
  if (visible === -1) return start.length > maxBlank ? false : undefined
  const mark = start.subarray(visible, visible + dashes.length)
  if (!startsWith(dashes, mark)) return false
  return mark.length === dashes.length ? true : undefined
}

/** Reads the first bytes of a file, and returns them to the reader. */
async function startsWithArmor(reader: ByteReader): Promise<boolean> {
  let start = new Uint8Array()
  let armored: boolean | undefined
  while (armored === undefined) {
    const piece = await reader.pull()
    if (piece === undefined) break
    start = concat([start, piece])
    armored = isArmored(start)
  }
  reader.unread(start)
  return armored === true
}

/**
 * Removes the armor of a file, if it has one (age v1, "ASCII armor").
 * @returns a reader of the binary file
 */
export async function withoutArmor(reader: ByteReader): Promise<ByteReader> {
  if (!(await startsWithArmor(reader))) return reader
  const chunks = decoded(linesOf(reader))
  const next = async () => {
    const chunk = await chunks.next()
    return chunk.done === true ? undefined : chunk.value
  }
  return peekable({ next, stop: reader.stop })
}
