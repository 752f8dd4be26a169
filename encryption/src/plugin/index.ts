import { Stanza, type Identity, type Recipient } from 'age-encryption'
import { EncryptionError } from '../base/error.ts'
import { callPlugin, type PluginDialog } from './plugin-process.ts'
import { pluginOfIdentity, pluginOfRecipient } from './plugin-name.ts'

export type { PluginDialog } from './plugin-process.ts'
export { pluginOfIdentity, pluginOfRecipient } from './plugin-name.ts'

const nothing = new Uint8Array()

/** Index of the only file of a call. */
const file = '0'

function required(name: string | undefined, code: 'bad_recipient' | 'bad_identity'): string {
  if (name === undefined) throw new EncryptionError(code, 'this is not a key of a plugin')
  return name
}

/**
 * A recipient whose keys a plugin of age handles, such as one for a hardware token. The program `age-plugin-NAME` wraps the key
 * of each file.
 * @param written `age1NAME1…`
 * @throws EncryptionError `bad_recipient`
 */
export function pluginRecipient(written: string, dialog: PluginDialog): Recipient {
  const name = required(pluginOfRecipient(written), 'bad_recipient')
  return {
    wrapFileKey: async (fileKey) => {
      const stanzas: Stanza[] = []
      await callPlugin({
        name,
        phase: 'recipient-v1',
        commands: [new Stanza(['add-recipient', written], nothing), new Stanza(['wrap-file-key'], fileKey)],
        dialog,
        onResult: ({ args: [command, index, ...args], body }) => {
          if (command !== 'recipient-stanza' || index !== file) return false
          stanzas.push(new Stanza(args, body))
          return true
        },
      })
      if (stanzas.length === 0)
        throw new EncryptionError('bad_recipient', `age-plugin-${name} did not encrypt for ${written}`)
      return stanzas
    },
  }
}

/**
 * An identity whose secret a plugin of age has or reaches.
 * @param written `AGE-PLUGIN-NAME-1…`
 * @throws EncryptionError `bad_identity`
 */
export function pluginIdentity(written: string, dialog: PluginDialog): Identity {
  const name = required(pluginOfIdentity(written), 'bad_identity')
  return {
    unwrapFileKey: async (stanzas) => {
      let fileKey: Uint8Array | null = null
      await callPlugin({
        name,
        phase: 'identity-v1',
        commands: [
          new Stanza(['add-identity', written], nothing),
          ...stanzas.map(({ args, body }) => new Stanza(['recipient-stanza', file, ...args], body)),
        ],
        dialog,
        onResult: ({ args: [command, index], body }) => {
          if (command !== 'file-key' || index !== file) return false
          fileKey = body
          return true
        },
      })
      return fileKey
    },
  }
}
