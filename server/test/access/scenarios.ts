import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRequest, errorIn } from '../support/clients/send-request.ts'
import { actors, hasSession, type Actor } from './fixture/actors.ts'
import type { Block } from './tables/block.ts'
import { requestsOf } from './requests/request-groups.ts'
import { openKeeper, type Keeper } from './fixture/database-state.ts'
import { freshAddress } from './fixture/users.ts'
import { requestOf, routeOf, spends, type FullScene } from './requests/requests.ts'
import { storedSecrets, leaksIn } from './fixture/secrets.ts'
import { openFixture, type AccessFixture } from './fixture/fixture.ts'
import type { Kind } from './fixture/uploads.ts'
import { parseTable, type Expected, type Row } from './tables/parser.ts'

/** What a granted request has changed. */
function spentBy(label: string, kind: Kind, actor: Actor): (keyof FullScene)[] {
  if (kind === 'one-shot') return ['upload']
  const part = spends[label]
  // Users change only their own account, or that of the impersonated user; signing in and out changes nothing
  // else.
  return part === undefined || (part === 'people' && !hasSession(actor)) ? [] : [part]
}

/**
 * Whether the request may change rights if it is granted. After all others, no user has more rights than
 * before.
 */
const isAdministration = (label: string, actor: Actor) =>
  actor === 'admin' || routeOf(label).endpoint.chain === 'admin'

/** Sends every request of some blocks as every actor, and compares the responses with the table. */
export function testBlocks(blocks: readonly Block[]): void {
  let fixture: AccessFixture
  let keeper: Keeper
  /** All responses, to be searched for secrets. */
  let allResponses = ''

  beforeAll(async () => {
    fixture = await openFixture()
    keeper = openKeeper(fixture.main)
  })
  afterAll(async () => {
    keeper.close()
    await fixture.close()
  })

  /**
   * Checks a response except for its status.
   * @returns status and code
   */
  async function responseTo(block: Block, kind: Kind, label: string, actor: Actor): Promise<Expected> {
    const scene = await fixture.sceneOf(block, kind)
    const { url } = await fixture.serverOf(block)
    const { path, headers, ...requestOptions } = requestOf(label, scene)
    const before = keeper.read(scene)
    const rights = keeper.rights()
    const response = await sendRequest(url, path, {
      ...requestOptions,
      // Wrong guesses are counted for each address, so every request comes from another one.
      headers: { 'x-forwarded-for': freshAddress(), ...headers, ...actors[actor](scene) },
    })
    allResponses += JSON.stringify(response.headers) + response.text
    expect([actor, leaksIn(response, actor, scene)]).toEqual([actor, []])
    if (response.status >= 400) expect([actor, keeper.read(scene)]).toEqual([actor, before])
    else for (const part of spentBy(label, kind, actor)) fixture.spend(part)
    if (!isAdministration(label, actor))
      expect([actor, [...keeper.rights().difference(rights)]]).toEqual([actor, []])
    const errorResponse = errorIn(response)
    if (errorResponse.code !== undefined && response.status >= 400)
      expect(routeOf(label).endpoint.errors).toContain(errorResponse.code)
    return response.status < 400 ? { status: response.status } : (errorResponse as Expected)
  }

  async function testRequest(block: Block, kind: Kind, label: string, wanted: Row['expected']) {
    const { endpoint } = routeOf(label)
    const bare = label.endsWith('HEAD') || endpoint.method === 'HEAD' || endpoint.errorFormat === 'text'
    const found: [Actor, Expected][] = []
    for (const [actor] of wanted) found.push([actor, await responseTo(block, kind, label, actor)])
    const expected = wanted.map(([actor, { status, code }]) => [
      actor,
      { status, code: bare ? undefined : code },
    ])
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected))
  }

  for (const block of blocks) {
    for (const kind of block.uploads?.kinds ?? (['plain'] as const)) {
      describe(block.uploads === undefined ? block.title : `${block.title}: ${kind}`, () => {
        const lines = parseTable(block.table)
        const rows = lines.flatMap(({ label, expected }) =>
          requestsOf(label).map((request) => [request, expected] as const),
        )
        test.each(rows)('%s', (label, expected) => testRequest(block, kind, label, expected))
      })
    }
  }

  test('no response contains a hash or a key of the database', () => {
    const secrets = storedSecrets(fixture.main)
    expect(secrets.length).toBeGreaterThan(10)
    expect(secrets.filter((secret) => allResponses.includes(secret))).toEqual([])
  })
}
