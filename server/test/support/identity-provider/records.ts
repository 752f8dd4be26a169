import type { Adapter, AdapterPayload } from 'oidc-provider'

/** The sessions, codes and tokens of one provider, in memory. */
export function providerRecords(): (kind: string) => Adapter {
  const records = new Map<string, AdapterPayload>()
  return (kind) => {
    const key = (id: string) => `${kind}:${id}`
    const find = (id: string) => Promise.resolve(records.get(key(id)))
    const findBy = (is: (record: AdapterPayload) => boolean) =>
      Promise.resolve([...records].find(([name, record]) => name.startsWith(`${kind}:`) && is(record))?.[1])
    return {
      find,
      findByUid: (uid) => findBy((record) => record.uid === uid),
      findByUserCode: (code) => findBy((record) => record.userCode === code),
      upsert(id, payload) {
        records.set(key(id), payload)
        return Promise.resolve()
      },
      consume(id) {
        const record = records.get(key(id))
        if (record !== undefined) record.consumed = true
        return Promise.resolve()
      },
      destroy(id) {
        records.delete(key(id))
        return Promise.resolve()
      },
      revokeByGrantId(grantId) {
        for (const [name, record] of records) if (record.grantId === grantId) records.delete(name)
        return Promise.resolve()
      },
    }
  }
}
