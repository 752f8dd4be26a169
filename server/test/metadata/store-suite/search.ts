import { expect, test } from 'vitest'
import type { MetadataStore } from '../../../src/metadata/store.ts'
import { userRecord } from '../../support/databases/user-records.ts'

/** The search for users. */
export function searchSuite(store: () => MetadataStore): void {
  const people = async (mark: string) => {
    const rows = [
      userRecord({ login: `b${mark}`, name: '100% sure', email: `first@${mark}.test` }),
      userRecord({ login: `a${mark}`, name: 'under_score', provider: 'oidc' }),
      userRecord({ login: `c${mark}`, name: `Zoë ÅNGSTRÖM ${mark}`, admin: 1 }),
      userRecord({ login: `d${mark}`, name: 'bang! \\ "quoted" \'single\'' }),
    ]
    for (const row of rows) await store().users.insert(row)
  }
  const search = async (text: string, filter = {}, limit = 50) =>
    (await store().users.search(text, filter, limit)).map(({ login }) => login)

  test('users are found by a part of a text, in any case, ordered by login', async () => {
    await people('-one')
    expect(await search('-ONE')).toEqual(['a-one', 'b-one', 'c-one', 'd-one'])
    expect(await search('FIRST@-one')).toEqual(['b-one'])
    expect(await search('-one', {}, 2)).toEqual(['a-one', 'b-one'])
    expect(await search('-one', { provider: 'oidc' })).toEqual(['a-one'])
    expect(await search('-one', { admin: true })).toEqual(['c-one'])
    expect(await search('-one', { admin: false, provider: 'local' })).toEqual(['b-one', 'd-one'])
  })

  test('case is ignored in every alphabet', async () => {
    await people('-two')
    for (const text of ['zoë ångström -two', 'ZOË ÅNGSTRÖM -TWO', 'Zoë Ångström -two']) {
      expect(await search(text)).toEqual(['c-two'])
    }
  })

  test('pattern characters match themselves', async () => {
    await people('-three')
    expect(await search('0% s')).not.toHaveLength(0)
    expect(await search('0%s')).toEqual([])
    expect(await search('under_s')).not.toHaveLength(0)
    expect(await search('unde__s')).toEqual([])
    expect(await search('g! \\ "q')).not.toHaveLength(0)
    expect(await search("' 's")).toEqual([])
    expect(await search('!!')).toEqual([])
  })
}
