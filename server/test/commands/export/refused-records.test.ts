import { beforeEach, describe, expect, test } from 'vitest'
import { lookUp } from '../../support/servers/server-data.ts'
import { emptyDirectory } from '../../support/servers/svcd.ts'
import { exportFrom, importInto } from './exporting.ts'
import { fillDatabase } from './filled-database.ts'

let directory: string
let other: string
beforeEach(async () => {
  directory = await emptyDirectory()
  other = await emptyDirectory()
})

/** Imports an export, of which the first record of a kind has other fields. */
async function importChanged(kind: string, changes: object) {
  await fillDatabase(directory)
  const text = (await exportFrom(directory)).replace(new RegExp(`^\\{"kind":"${kind}".*$`, 'm'), (line) =>
    JSON.stringify({ ...(JSON.parse(line) as object), ...changes }),
  )
  return importInto(other, text)
}

describe('what the API refuses is refused, with the number of its line', () => {
  test.each([
    ['webhook', { url: 'file:///etc/passwd' }, 'url must be an https or http address'],
    ['webhook', { url: 'https://ada:secret@hooks.example/' }, 'url must not contain a login'],
    ['webhook', { events: 'limits.near limits.near' }, 'events has an event twice'],
    ['webhook', { events: '' }, 'events must not be empty'],
    ['webhook', { description: 'a\0b' }, 'description must not contain the character NUL'],
    ['webhook', { secret: 'secret' }, 'secret has an invalid format'],
    ['webhook', { previousUntil: null }, 'previousSecret and previousUntil must both be set'],
    ['webhook', { userId: 'local:none' }, 'the user local:none does not exist'],
    ['notification', { verifiedEmail: 'a@x.example, b@x.example' }, 'verifiedEmail is not an email address'],
    ['notification', { emailEvents: 'limits.near limits.near' }, 'emailEvents has an event twice'],
    ['request', { title: 'a\u202eb' }, 'title must be one line'],
    ['request', { title: ' ' }, 'title must not be empty'],
    ['request', { message: 'a\0b' }, 'message must not contain the character NUL'],
    ['request', { message: '\u20ac'.repeat(3_000) }, 'the message is too long'],
    ['request', { extensions: 'pdf ../x' }, 'an extension has letters and digits'],
    ['request', { extensions: 'pdf  txt' }, 'an extension has letters and digits'],
    ['request', { recipient: 'age1" onclick' }, 'recipient must be a recipient of age'],
    [
      'request',
      { wrappedIdentity: '-----BEGIN AGE ENCRYPTED FILE-----\nAGE-SECRET-KEY-1' },
      'wrappedIdentity must be an armored age file',
    ],
    ['request', { passkeyIdentities: '{' }, 'passkeyIdentities must be a list of passkeys in JSON'],
    ['request', { passkeyIdentities: '{}' }, 'passkeyIdentities must be a list of passkeys in JSON'],
    [
      'request',
      { passkeyIdentities: JSON.stringify([{ credential: 'a', wrappedIdentity: 'AGE-SECRET-KEY-1' }]) },
      'passkeyIdentities must have armored age files',
    ],
  ])('a %s with %j', async (kind, changes, reason) => {
    const { status, stderr } = await importChanged(kind, changes)
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^line \d+: /)])
    expect(stderr).toContain(reason)
  })
})

describe('what this server does not allow', () => {
  const hook = (id: number, fields: object = {}) =>
    JSON.stringify({
      kind: 'webhook',
      id: `imported${String(id).padStart(8, '0')}`,
      userId: 'local:bob',
      url: 'https://hooks.example/',
      events: 'limits.near',
      description: '',
      enabled: 1,
      secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
      previousSecret: null,
      previousUntil: null,
      createdAt: 1,
      ...fields,
    })

  test('is left out and reported, and the import goes on', async () => {
    await fillDatabase(directory)
    const lines = (await exportFrom(directory)).trimEnd().split('\n')
    const first = lines.findIndex((line) => line.startsWith('{"kind":"webhook"'))
    const added = [
      hook(1, { url: 'http://127.0.0.1:9/' }),
      hook(2, { events: 'limits.near upload.burned' }),
      hook(3, { events: 'upload.burned' }),
      ...Array.from({ length: 10 }, (_, index) => hook(4 + index)),
    ]
    const changed = lines
      .toSpliced(first, 0, ...added)
      .slice(0, -1)
      .map((line) => line.replace('"language":"de"', '"language":"xx"'))
    const text = [...changed, JSON.stringify({ kind: 'end', records: changed.length - 1 })].join('\n')
    const { status, output, stderr } = await importInto(other, `${text}\n`)
    expect([status, output]).toEqual([0, expect.stringMatching(/ 11 webhooks, .*\nleft out 4 webhooks/)])
    expect(stderr.split('\n').map((line) => line.replace(/^line \d+ /, ''))).toEqual([
      'is left out, or a part of it: the webhook is on a network that this server does not allow (WebhookPrivateNetworks)',
      'is left out, or a part of it: the events upload.burned are not known',
      'is left out, or a part of it: the events upload.burned are not known',
      'is left out, or a part of it: the user has 10 webhooks already (WebhooksPerUser)',
      'is left out, or a part of it: the user has 10 webhooks already (WebhooksPerUser)',
      'is left out, or a part of it: the language "xx" is not known',
    ])
    const rows = lookUp({ directory: other }, `select count(*) from webhooks where "userId" = 'local:bob'`)
    expect(rows).toEqual([10])
    const more = [lines[0], hook(90), JSON.stringify({ kind: 'end', records: 1 })].join('\n')
    expect((await importInto(other, more, '--merge')).stderr).toContain('the user has 10 webhooks already')
  })
})
