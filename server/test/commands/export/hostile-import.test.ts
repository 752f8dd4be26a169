import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { lookUp } from '../../support/servers/server-data.ts'
import { emptyDirectory } from '../../support/servers/svcd.ts'
import { svcd } from '../command-line.ts'
import { fillDatabase } from './filled-database.ts'
import { mebibyte } from '../../../src/domain/sizes.ts'

let directory: string
let sound: readonly string[]
beforeAll(async () => {
  directory = await emptyDirectory()
  const source = await emptyDirectory()
  await fillDatabase(source)
  sound = (await svcd(source, ['export', '-'])).output.trimEnd().split('\n')
})

const rowsLeft = () =>
  ['users', 'tokens', 'uploads', 'files'].flatMap((table) =>
    lookUp({ directory }, `select count(*) from ${table}`),
  )

/**
 * Imports what has to be refused.
 * @returns what it says
 */
async function refusal(input: string | Uint8Array): Promise<string> {
  const { status, output, stderr } = await svcd(directory, ['import', '-'], { input })
  expect([status, output, rowsLeft()]).toEqual([1, '', [0, 0, 0, 0]])
  return stderr
}

const asText = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')
/** The same, with an end that counts them. */
const asWhole = (lines: readonly string[]) =>
  asText(lines.with(-1, JSON.stringify({ kind: 'end', records: lines.length - 2 })))
/**
 * The export with another line in place of one.
 * @param number number of the line, from 1
 */
const withLine = (number: number, line: string) => asText(sound.with(number - 1, line))
const withFields = (number: number, fields: Readonly<Record<string, unknown>>) =>
  withLine(number, JSON.stringify({ ...(JSON.parse(sound[number - 1] ?? '') as object), ...fields }))

const hashOf = (cost: string) => `$argon2id$v=19$${cost}$${'s'.repeat(22)}$${'h'.repeat(43)}`
type Broken = [what: string, text: () => string, reason: string]

/** Lines of the export. */
const [user, oidcUser, token, request, upload, file, uploading] = [2, 3, 4, 6, 7, 8, 9]

describe('an invalid line is reported with its number, and the import changes nothing', () => {
  test.each([
    ['nothing', () => '', 'line 1: the export is incomplete: it does not end with {"kind":"end"}'],
    ['no JSON', () => withLine(3, '{"kind":'), 'line 3: it is not JSON'],
    ['an empty line', () => withLine(3, ''), 'line 3: it is not JSON'],
    ['no object', () => withLine(3, 'null'), 'line 3: it is not an object'],
    [
      'no kind',
      () => withLine(3, '{}'),
      'line 3: its kind is none of export, user, token, request, upload, file, preview, alias, download, figure, webhook, notification, end',
    ],
    ['an unknown kind', () => withLine(3, '{"kind":"__proto__"}'), 'line 3: its kind is none of'],
    ['no header', () => asText(sound.slice(1)), 'line 1: an export starts with {"kind":"export"}, once'],
    [
      'two headers',
      () => withLine(2, sound[0] ?? ''),
      'line 2: an export starts with {"kind":"export"}, once',
    ],
    [
      'a newer format',
      () => withFields(1, { version: 3 }),
      'line 1: the format is version 3, and this svcd reads versions 1 and 2',
    ],
    ['no end', () => asText(sound.slice(0, -1)), 'line 23: the export is incomplete'],
    ['lines after the end', () => asText([...sound, sound[1] ?? '']), 'line 24: it comes after the end'],
    ['a lost line', () => asText(sound.toSpliced(16, 1)), 'line 22: there are 20 records before it'],
    [
      'a doubled line',
      () => asWhole(sound.toSpliced(2, 0, sound[1] ?? '')),
      'line 3: the user already exists',
    ],
    ['a user after a token', () => asText([...sound.slice(0, 4), sound[1] ?? '']), 'line 5: the order is'],
    [
      'a request with an unknown choice',
      () => withFields(request, { afterEnd: 'burn' }),
      'line 6: afterEnd must be one of',
    ],
    [
      'a request of an unknown user',
      () => withFields(request, { userId: 'local:absent' }),
      'line 6: the user local:absent does not exist',
    ],
    ['a file without its upload', () => asText(sound.toSpliced(6, 1)), 'line 7: a file follows its upload'],
    [
      'an owner who is missing',
      () => asWhole(sound.toSpliced(1, 1)),
      /^line [34]: the user local:bob does not exist$/,
    ],
    ['a field too many', () => withFields(user, { usedSize: 1 }), 'line 2: "usedSize" is not known'],
    ['a field too few', () => withFields(token, { comment: undefined }), 'line 4: comment is missing'],
    [
      'a token of another id',
      () => withFields(token, { id: 'a'.repeat(16) }),
      'line 4: id does not match tokenHash',
    ],
    ...['', 'read upload', 'upload upload', 'upload write', 'read '].map((scopes): Broken => [
      `the scopes ${JSON.stringify(scopes)}`,
      () => withFields(token, { scopes }),
      'line 4: scopes are invalid',
    ]),
    ['a whole token', () => withFields(token, { token: 'svct_x' }), 'line 4: "token" is not known'],
    ['a wrong type', () => withFields(user, { login: 7 }), 'line 2: login must be string'],
    ['a fraction', () => withFields(user, { createdAt: 0.5 }), 'line 2: createdAt must be integer'],
    [
      'a number past what is counted exactly',
      () => withLine(file, (sound[file - 1] ?? '').replace('"fileSize":5', '"fileSize":9007199254740993')),
      'line 8: fileSize must be',
    ],
    [
      'sizes whose total is not counted exactly',
      () =>
        asText(
          sound.map((line) =>
            line.replace(/"fileSize":\d+/, `"fileSize":${String(Number.MAX_SAFE_INTEGER)}`),
          ),
        ),
      'line 9: the total of all files up to this one is too large',
    ],
    [
      'daily stats whose total is not counted exactly',
      () => {
        const counters = ['uploads', 'files'].map((name) =>
          JSON.stringify({ kind: 'figure', day: '2026-10-10', name, value: Number.MAX_SAFE_INTEGER }),
        )
        return asWhole([...sound.slice(0, -4), ...counters, ''])
      },
      'line 21: the total of all daily stats up to this one is too large',
    ],
    [
      'a renewal beyond all dates',
      () => withFields(token, { renewal: 365_000 * 86_400_000 + 1 }),
      'line 4: renewal must be',
    ],
    [
      'an infinite number',
      () => withLine(user, (sound[user - 1] ?? '').replace('"createdAt":1000', '"createdAt":1e999')),
      'line 2: createdAt must be',
    ],
    [
      'a truth value that is none',
      () => withFields(user, { admin: 2 }),
      'line 2: admin must be one of [0,1]',
    ],
    [
      'the id of another record',
      () => withFields(user, { id: 'local:eve' }),
      'line 2: id does not match provider and login',
    ],
    [
      'the id of another provider',
      () => withFields(oidcUser, { id: 'idp1:eve' }),
      'line 3: id does not match provider and login',
    ],
    [
      'an id that is a path',
      () => withFields(file, { id: '../../etc/passwd' }),
      'line 8: id has an invalid format',
    ],
    ['a name that is a path', () => withFields(file, { fileName: '../x' }), 'line 8: the names "." and ".."'],
    [
      'a name with a line break',
      () => withFields(file, { fileName: 'a\nb' }),
      'line 8: the file name has control characters',
    ],
    [
      'a password that is not a hash',
      () => withFields(user, { passwordHash: 'secret' }),
      'line 2: passwordHash has an invalid format',
    ],
    ...['m=99999999,t=2,p=1', 'm=65537,t=2,p=1', 'm=19456,t=5,p=1', 'm=19456,t=2,p=5'].map((cost): Broken => [
      `a password that costs too much (${cost})`,
      () => withFields(user, { passwordHash: hashOf(cost) }),
      'line 2: passwordHash has an invalid format',
    ]),
    ...['m=7,t=2,p=1', 'm=71,t=2,p=9', 'm=19456,t=0,p=1', 'm=19456,t=2,p=0'].map((cost): Broken => [
      `a password that cannot be checked (${cost})`,
      () => withFields(upload, { login: 'svc', passwordHash: hashOf(cost) }),
      'line 7: passwordHash has an invalid format',
    ]),
    ['half a character', () => withFields(user, { name: '\ud800' }), 'line 2: a text is not valid Unicode'],
    [
      'a login without a password',
      () => withFields(upload, { login: 'svc' }),
      'line 7: login and passwordHash must both be set or both be null',
    ],
    [
      'comments that no upload may have',
      () => withFields(upload, { comments: '雪'.repeat(10_923) }),
      'line 7: comments must have at most 32768 bytes',
    ],
    [
      'a claim without an end',
      () => withFields(file, { claim: 'c'.repeat(16) }),
      'line 8: claim and claimUntil must both be set or both be null',
    ],
    [
      'an uploaded file without its hash',
      () => withFields(file, { md5: '' }),
      'line 8: an uploaded file needs uploadedAt and md5',
    ],
    [
      'an uploading file without a sender',
      () => withFields(uploading, { instance: null }),
      'line 9: an uploading file needs its instance',
    ],
    [
      'a long line',
      () => withFields(user, { name: 'x'.repeat(mebibyte) }),
      'line 2: it is longer than 1048576 bytes',
    ],
  ])('%s', async (_, text, reason) => {
    const message = await refusal(text())
    if (typeof reason === 'string') expect(message.slice(0, reason.length)).toBe(reason)
    else expect(message).toMatch(reason)
  })

  test('many lines before it', async () => {
    const template = JSON.parse(sound[user - 1] ?? '') as object
    const users = Array.from({ length: 250 }, (_, index) => {
      const login = `user${String(index)}`
      return JSON.stringify({ ...template, id: `local:${login}`, login })
    })
    expect(await refusal(asText([sound[0] ?? '', ...users, '{}']))).toMatch(/^line 252: /)
  })

  test('bytes that are not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from(`${sound[0] ?? ''}\n`), Buffer.of(0xff, 0x0a)])
    expect(await refusal(bytes)).toBe('line 2: it is not UTF-8')
  })

  test('secrets of a line are not repeated', async () => {
    const secret = 'canary of a secret'
    for (const text of [
      withFields(user, { passwordHash: secret }),
      withLine(user, `{"passwordHash":"${secret}`),
    ])
      expect(await refusal(text)).not.toContain('canary')
  })
})

describe('for any bytes', () => {
  const located = /^line \d+: /

  /** Either all of it is imported, or nothing is and the reason has a line. */
  const isImportedOrRefused = async (input: string | Uint8Array) => {
    const { status, output, stderr } = await svcd(directory, ['import', '-'], { input })
    if (status === 0) {
      expect(output).toMatch(/^imported /)
      directory = await emptyDirectory()
      return
    }
    expect([status, output, rowsLeft()]).toEqual([1, '', [0, 0, 0, 0]])
    const reasons = stderr.split('\n').filter((line) => !line.includes(' is left out, or a part of it: '))
    expect(reasons).toEqual([expect.stringMatching(located)])
  }

  test('bytes', () =>
    fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), isImportedOrRefused), { numRuns: 20 }))

  test('an export with other bytes at some place', () => {
    const change = fc.record({ at: fc.nat(), cut: fc.nat(50), bytes: fc.uint8Array({ maxLength: 20 }) })
    const property = fc.asyncProperty(change, ({ at, cut, bytes }) => {
      const whole = Buffer.from(asText(sound))
      const from = at % whole.length
      return isImportedOrRefused(
        Buffer.concat([whole.subarray(0, from), bytes, whole.subarray(Math.min(from + cut, whole.length))]),
      )
    })
    return fc.assert(property, { numRuns: 40 })
  })

  test('a record with another value in some field', () => {
    const value = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.integer(), fc.double())
    const property = fc.asyncProperty(fc.nat(), fc.nat(), value, (line, field, other) => {
      const number = (line % sound.length) + 1
      const names = Object.keys(JSON.parse(sound[number - 1] ?? '') as object)
      return isImportedOrRefused(withFields(number, { [names[field % names.length] ?? '']: other }))
    })
    return fc.assert(property, { numRuns: 100 })
  })

  test('lines in another order, doubled or left out', () => {
    const order = fc.array(fc.nat(16), { maxLength: 20 })
    const property = fc.asyncProperty(order, (numbers) =>
      isImportedOrRefused(asText(numbers.map((number) => sound[number] ?? ''))),
    )
    return fc.assert(property, { numRuns: 20 })
  })
})
