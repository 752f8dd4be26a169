import { crc32 } from 'node:zlib'
import { getFileNameLowLevel, openPromise, type Entry, type ZipFile } from 'yauzl'
import { Failure } from '../errors/failure.ts'
import type { ExtractionLimit } from './extraction-limit.ts'
import type { Member } from './member.ts'

/**
 * The members of a zip archive. Their sizes are known before the first one is read: an archive that is too large is refused
 * as a whole, and a member is never larger than its stated size.
 * @throws Failure, or an error of the reader if it is not a zip archive
 */
export async function* readZip(path: string, limit: ExtractionLimit): AsyncGenerator<Member> {
  // The caller makes names safe, so an unsafe one does not invalidate the archive.
  const zip = await openPromise(path, { decodeStrings: false, autoClose: false })
  try {
    const entries: Entry[] = []
    for await (const entry of zip.eachEntry()) {
      limit.addMember()
      limit.addBytes(entry.uncompressedSize)
      entries.push(entry)
    }
    for (const entry of entries) {
      const name = nameOf(entry)
      yield { name, kind: kindOf(entry, name), bytes: () => bytesOf(zip, entry, name) }
    }
  } finally {
    zip.close()
  }
}

const nameOf = ({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry) =>
  getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)

/** The kinds of files in the upper half of the attributes of a Unix archive (`S_IFMT`). */
const kindBits = 0o170000
const plainFile = 0o100000

function kindOf({ externalFileAttributes }: Entry, name: string): Member['kind'] {
  if (name.endsWith('/')) return 'folder'
  const kind = (externalFileAttributes >>> 16) & kindBits
  return kind === 0 || kind === plainFile ? 'file' : 'other'
}

async function* bytesOf(zip: ZipFile, entry: Entry, name: string): AsyncGenerator<Buffer> {
  if (entry.isEncrypted()) throw new Failure(`${name} is protected with a password`)
  if (!entry.canDecodeFileData()) throw new Failure(`${name} uses an unsupported compression method`)
  const stream = await zip.openReadStreamPromise(entry)
  let sum = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (sum !== entry.crc32) throw new Failure(`${name} is damaged`)
}
