/** Kinds of recipients that need no plugin. */
const builtIn = ['pq', 'tag', 'tagpq']

/** The part before the data of a Bech32 text, which begins at the last 1. */
const prefixOf = (text: string): string => text.slice(0, Math.max(0, text.lastIndexOf('1')))

/** Names become part of the name of a program, so they have no separators of paths. */
const validName = /^[a-z0-9+._-]{1,64}$/

/** Name of the plugin for a recipient such as `age1yubikey1…`; undefined for one that needs none. */
export function pluginOfRecipient(recipient: string): string | undefined {
  const prefix = prefixOf(recipient.toLowerCase())
  const name = prefix.startsWith('age1') ? prefix.slice('age1'.length) : ''
  return validName.test(name) && !builtIn.includes(name) ? name : undefined
}

/** Name of the plugin for an identity such as `AGE-PLUGIN-YUBIKEY-1…`; undefined for another text. */
export function pluginOfIdentity(identity: string): string | undefined {
  const prefix = prefixOf(identity.toLowerCase())
  const [, name = ''] = /^age-plugin-(.+)-$/.exec(prefix) ?? []
  return validName.test(name) ? name : undefined
}
