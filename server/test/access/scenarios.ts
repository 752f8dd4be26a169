import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, refusalIn } from '../support/ask.ts'
import { actors, hasSession, type Actor } from './actors.ts'
import type { Block } from './block.ts'
import { questionsOf } from './groups.ts'
import { openKeeper, type Keeper } from './kept.ts'
import { freshAddress } from './people.ts'
import { questionOf, routeOf, spends, type StagedScene } from './questions.ts'
import { keptSecrets, leaksIn } from './secrets.ts'
import { openStage, type Stage } from './stage.ts'
import type { Kind } from './uploads.ts'
import { parseTable, type Expected, type Row } from './verdicts.ts'

/** What a granted request has changed. */
function spentBy(label: string, kind: Kind, actor: Actor): (keyof StagedScene)[] {
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
  let stage: Stage
  let keeper: Keeper
  /** All responses, to be searched for secrets. */
  let told = ''

  beforeAll(async () => {
    stage = await openStage()
    keeper = openKeeper(stage.main)
  })
  afterAll(async () => {
    keeper.close()
    await stage.close()
  })

  /** Checks a response except for its status. @returns status and code */
  async function answerTo(block: Block, kind: Kind, label: string, actor: Actor): Promise<Expected> {
    const scene = await stage.sceneOf(block, kind)
    const { url } = await stage.serverOf(block)
    const { path, headers, ...question } = questionOf(label, scene)
    const before = keeper.read(scene)
    const rights = keeper.rights()
    const answer = await ask(url, path, {
      ...question,
      // Wrong guesses are counted for each address, so every request comes from another one.
      headers: { 'x-forwarded-for': freshAddress(), ...headers, ...actors[actor](scene) },
    })
    told += JSON.stringify(answer.headers) + answer.text
    expect([actor, leaksIn(answer, actor, scene)]).toEqual([actor, []])
    if (answer.status >= 400) expect([actor, keeper.read(scene)]).toEqual([actor, before])
    else for (const part of spentBy(label, kind, actor)) stage.spend(part)
    if (!isAdministration(label, actor))
      expect([actor, [...keeper.rights().difference(rights)]]).toEqual([actor, []])
    const refusal = refusalIn(answer)
    if (refusal.code !== undefined && answer.status >= 400)
      expect(routeOf(label).endpoint.errors).toContain(refusal.code)
    return answer.status < 400 ? { status: answer.status } : (refusal as Expected)
  }

  async function testQuestion(block: Block, kind: Kind, label: string, wanted: Row['expected']) {
    const bare = label.endsWith('HEAD') || routeOf(label).errors === 'text'
    const found: [Actor, Expected][] = []
    for (const [actor] of wanted) found.push([actor, await answerTo(block, kind, label, actor)])
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
          questionsOf(label).map((of) => [of, expected] as const),
        )
        test.each(rows)('%s', (label, expected) => testQuestion(block, kind, label, expected))
      })
    }
  }

  test('no response contains a hash or a key of the database', () => {
    const secrets = keptSecrets(stage.main)
    expect(secrets.length).toBeGreaterThan(10)
    expect(secrets.filter((secret) => told.includes(secret))).toEqual([])
  })
}
