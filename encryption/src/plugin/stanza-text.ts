import { Stanza } from 'age-encryption'
import { fromBase64, toBase64 } from '../base/bytes.ts'
import { EncryptionError } from '../base/error.ts'

/** Columns of base64 in every line of a body but the last, which is shorter and may be empty. */
const columns = 64

/** A stanza as plugins read and write it (age-plugin, “Stanza”). */
export function stanzaText({ args, body }: Pick<Stanza, 'args' | 'body'>): string {
  const text = toBase64(body)
  const lines = text.match(new RegExp(`.{${String(columns)}}`, 'g')) ?? []
  return [`-> ${args.join(' ')}`, ...lines, text.slice(lines.length * columns), ''].join('\n')
}

const damaged = (cause?: unknown) =>
  new EncryptionError('bad_identity', 'the plugin does not follow the protocol of age plugins', cause)

/** Reads stanzas from the lines of a plugin. Resolves with undefined at their end. */
export function stanzaReader(lines: AsyncIterator<string>): () => Promise<Stanza | undefined> {
  return async () => {
    const first = await lines.next()
    if (first.done === true) return undefined
    const [mark, ...args] = first.value.split(' ')
    if (mark !== '->' || args.length === 0 || args.includes('')) throw damaged()
    let text = ''
    for (;;) {
      const line = await lines.next()
      if (line.done === true) throw damaged()
      text += line.value
      if (line.value.length < columns) break
      if (line.value.length > columns) throw damaged()
    }
    const body = fromBase64(text)
    if (body === undefined) throw damaged()
    return new Stanza(args, body)
  }
}
