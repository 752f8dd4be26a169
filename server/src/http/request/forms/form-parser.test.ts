import { Busboy } from '@fastify/busboy'
import { array, assert, constantFrom, integer, oneof, property, uint8Array } from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { formParser, MalformedFormError, type FormLimits } from './form-parser.ts'
import { formPart } from './form-part.ts'

const boundary = '-bound'
const limits: FormLimits = { headerBytes: 1_000, otherBytes: 100_000 }

/** Parses chunks, of which each belongs to the parser. Returns the files as texts, or the message of the error. */
function parse(chunks: readonly Buffer[], formLimits: FormLimits = limits): string | [string, string][] {
  const files: [string, Buffer[]][] = []
  const ended: number[] = []
  const parser = formParser(boundary, formLimits, (headers) => {
    const part = formPart(headers)
    if (!part.isFile) return undefined
    const chunks: Buffer[] = []
    files.push([part.fileName, chunks])
    return { write: (bytes) => chunks.push(bytes), end: () => ended.push(files.length) }
  })
  try {
    for (const chunk of chunks) parser.write(chunk)
    parser.end()
  } catch (error) {
    if (error instanceof MalformedFormError) return error.message
    throw error
  }
  expect(ended).toEqual(files.map((_, index) => index + 1))
  return files.map(([name, bytes]) => [name, Buffer.concat(bytes).toString('latin1')])
}

/** The same by the parser of another project. */
async function parseWithBusboy(form: Buffer): Promise<string | [string, string][]> {
  const files: [string, Buffer[]][] = []
  const done = Promise.withResolvers<string | [string, string][]>()
  const busboy = new Busboy({
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    preservePath: true,
  })
  busboy.on('file', (_field, stream, name: string | undefined) => {
    const bytes: Buffer[] = []
    files.push([name ?? '', bytes])
    stream.on('data', (chunk: Buffer) => bytes.push(chunk))
    stream.on('error', () => {
      done.resolve('failed')
    })
  })
  busboy.on('error', () => {
    done.resolve('failed')
  })
  busboy.on('finish', () => {
    done.resolve(files.map(([name, bytes]) => [name, Buffer.concat(bytes).toString('latin1')]))
  })
  busboy.end(form)
  return done.promise
}

/** Cuts at ascending positions, into separate buffers. */
const cut = (form: Buffer, positions: readonly number[]): Buffer[] => {
  const ends = [...positions.map((at) => at % (form.length + 1)).toSorted((a, b) => a - b), form.length]
  return ends.map((end, index) => Buffer.from(form.subarray(ends[index - 1] ?? 0, end)))
}

const fileHead = (name: string) => `Content-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
const delimiter = `\r\n--${boundary}`
const form = (...bodies: readonly string[]) =>
  Buffer.from(
    `${bodies.map((body, index) => `--${boundary}\r\n${fileHead(String(index))}${body}\r\n`).join('')}--${boundary}--`,
    'latin1',
  )

describe('a form', () => {
  /** Texts that look like delimiters, and others. */
  const body = array(
    oneof(
      constantFrom(
        '\r',
        '\n',
        '\r\n',
        '-',
        '--',
        '\r\n-',
        '\r\n--',
        '\r\n--b',
        '\r\n---boun',
        '\r\r\n',
        boundary,
        'x',
      ),
      uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    ),
    { maxLength: 6 },
  )
    .map((texts) => texts.join(''))
    .filter((text) => !`\r\n${text}`.includes(delimiter))

  test('has the same files however its bytes are divided, and those that another parser finds', async () => {
    const forms: [Buffer, string | [string, string][]][] = []
    assert(
      property(
        array(body, { maxLength: 4 }),
        array(integer({ min: 0, max: 10_000 }), { maxLength: 30 }),
        (bodies, at) => {
          const whole = form(...bodies)
          const found = parse(cut(whole, at))
          expect(found).toEqual(bodies.map((text, index) => [String(index), text]))
          forms.push([whole, found])
        },
      ),
      { numRuns: 300 },
    )
    for (const [whole, found] of forms) expect(await parseWithBusboy(whole)).toEqual(found)
  })

  test('of arbitrary pieces is refused or accepted however its bytes are divided', () => {
    const piece = oneof(
      constantFrom(
        `--${boundary}`,
        delimiter,
        '--',
        '\r\n',
        ' ',
        fileHead('a'),
        'Content-Type: a/b\r\n',
        '\r\n\r\n',
        'x',
      ),
    )
    assert(
      property(
        array(piece, { maxLength: 12 }),
        array(integer({ min: 0, max: 10_000 }), { maxLength: 30 }),
        (pieces, at) => {
          const whole = Buffer.from(pieces.join(''))
          expect(parse(cut(whole, at))).toEqual(parse([whole]))
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test.each([
    ['a preamble', `words\r\n${form('a').toString()}`, [['0', 'a']]],
    ['an epilogue', `${form('a').toString()}\r\nwords`, [['0', 'a']]],
    [
      'spaces after its boundaries',
      form('a').toString().replace(`${boundary}\r`, `${boundary} \t \r`),
      [['0', 'a']],
    ],
    [
      'a part without a body',
      `--${boundary}\r\nContent-Disposition: form-data; filename=a\r\n${delimiter}--`,
      [['a', '']],
    ],
    ['a part without headers', `--${boundary}\r\n\r\ntext${delimiter}--`, []],
    ['no parts', `--${boundary}--`, []],
    ['no end', `--${boundary}\r\n${fileHead('a')}text`, 'it is incomplete'],
    ['half an end', form('a').toString().slice(0, -1), 'it is incomplete'],
    [
      'an end with one dash',
      `${form('a').toString().slice(0, -1)}x`,
      'a line with its boundary has other characters',
    ],
    ['a longer boundary', `--${boundary}x\r\n`, 'a line with its boundary has other characters'],
    ['no boundary', 'words', 'it is incomplete'],
    ['nothing', '', 'it is incomplete'],
  ])('with %s', (_what, text, files) => {
    expect(parse([Buffer.from(text)])).toEqual(files)
  })

  test('with long headers is refused as soon as they are too long', () => {
    const head = (length: number) => `--${boundary}\r\nA: ${'a'.repeat(length - '\r\nA: '.length)}`
    const whole = (length: number) => [Buffer.from(`${head(length)}\r\n\r\n${delimiter}--`)]
    expect(parse(whole(1_000))).toEqual([])
    expect(parse(whole(1_001))).toBe('the headers of a part are too long')
    const bytes = (text: string) => Array.from(Buffer.from(text), (byte) => Buffer.of(byte))
    expect(parse(bytes(`${head(1_000)}\r\n\r\n${delimiter}--`))).toEqual([])
    expect(parse(bytes(`${head(1_001)}\r\n\r\n${delimiter}--`))).toBe('the headers of a part are too long')
    expect(parse([Buffer.from(head(1_004))])).toBe('the headers of a part are too long')
  })

  test.each([
    ['before its first part', (text: string) => `${text}\r\n${form('').toString()}`],
    ['in a field', (text: string) => `--${boundary}\r\n\r\n${text}\r\n${form('').toString()}`],
    ['after its end', (text: string) => `${form('').toString()}${text}`],
  ])('with many bytes %s is refused, and a file may have more', (_where, formWith) => {
    const few = { ...limits, otherBytes: 500 }
    const refusal = 'it has too many bytes besides its files'
    expect(parse([Buffer.from(formWith('x'.repeat(100)))], few)).toEqual([['0', '']])
    expect(parse([Buffer.from(formWith('x'.repeat(501)))], few)).toBe(refusal)
    expect(parse([form('x'.repeat(10_000))], few)).toEqual([['0', 'x'.repeat(10_000)]])
  })
})

test('a chunk that is bytes of a file is passed on as it is, so that its memory can be released', () => {
  const passed: Buffer[] = []
  const parser = formParser(boundary, limits, () => ({
    write: (bytes) => passed.push(bytes),
    end: () => undefined,
  }))
  parser.write(Buffer.from(`--${boundary}\r\n\r\nstart`))
  const chunks = ['x'.repeat(20_000), 'ends with a carriage return\r', 'x'].map((text) => {
    const chunk = Buffer.alloc(text.length)
    chunk.write(text)
    return chunk
  })
  for (const chunk of chunks) parser.write(chunk)
  const whole = passed.find(({ buffer }) => buffer === chunks[0]?.buffer)
  expect(whole?.byteLength).toBe(whole?.buffer.byteLength)
  expect(Buffer.concat(passed).toString()).toBe(`start${Buffer.concat(chunks).toString()}`)
})

test('the bytes of headers that arrive one by one are copied once', () => {
  const parser = formParser(boundary, { headerBytes: 16_384, otherBytes: 100_000 }, () => undefined)
  let copied = 0
  const concat = vi.spyOn(Buffer, 'concat').mockImplementation((list) => {
    const length = list.reduce((sum, bytes) => sum + bytes.length, 0)
    copied += length
    const whole = Buffer.alloc(length)
    let at = 0
    for (const bytes of list) {
      whole.set(bytes, at)
      at += bytes.length
    }
    return whole
  })
  onTestFinished(() => concat.mockRestore())
  for (const byte of Buffer.from(`--${boundary}\r\nA: ${'a'.repeat(16_000)}`)) parser.write(Buffer.of(byte))
  expect(copied).toBeLessThan(500)
})
