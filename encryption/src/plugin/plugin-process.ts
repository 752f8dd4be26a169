import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Stanza } from 'age-encryption'
import { utf8 } from '../base/bytes.ts'
import { EncryptionError } from '../base/error.ts'
import { stanzaReader, stanzaText } from './stanza-text.ts'

/** What a plugin may ask of the user. */
export interface PluginDialog {
  readonly show: (message: string) => void
  /** @param echo whether the typed text may be shown. Rejects if nothing is typed */
  readonly ask: (message: string, echo: 'shown' | 'hidden') => Promise<string>
  /** @returns whether the user chose the first of two words. Rejects without a choice */
  readonly choose: (message: string, yes: string, no: string | undefined) => Promise<boolean>
}

export interface PluginCall {
  /** Name of the plugin: the program is `age-plugin-NAME`. */
  readonly name: string
  readonly phase: 'recipient-v1' | 'identity-v1'
  /** Sent before `done`. */
  readonly commands: readonly Stanza[]
  readonly dialog: PluginDialog
  /** Handles a result. Returns false for a command that is unknown. */
  readonly onResult: (stanza: Stanza) => boolean
}

const decoded = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const fromArgument = (text: string | undefined) =>
  text === undefined ? undefined : Buffer.from(text, 'base64').toString()

/**
 * Runs a plugin once (age-plugin, version 1).
 * @throws EncryptionError `bad_identity`
 */
export async function callPlugin(call: PluginCall): Promise<void> {
  const { name, phase, commands } = call
  const program = `age-plugin-${name}`
  const failed = (why: string, cause?: unknown) =>
    new EncryptionError('bad_identity', `${program}: ${why}`, cause)
  const child = spawn(program, [`--age-plugin=${phase}`], { stdio: ['pipe', 'pipe', 'ignore'] })
  const started = once(child, 'spawn').catch((error: unknown) => {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw failed(isMissing ? 'this plugin of age is not installed' : 'the plugin does not start', error)
  })
  await started
  // The plugin may end without reading everything.
  child.stdin.on('error', () => undefined)
  const send = (stanza: Stanza) => child.stdin.write(stanzaText(stanza))
  try {
    for (const command of [...commands, new Stanza(['done'], new Uint8Array())]) send(command)
    const lines = createInterface({ input: child.stdout, crlfDelay: Infinity })
    const next = stanzaReader(lines[Symbol.asyncIterator]())
    for (;;) {
      const stanza = await next()
      if (stanza === undefined) throw failed('the plugin ended early')
      if (stanza.args[0] === 'done') break
      if (stanza.args[0] === 'error') throw failed(decoded(stanza.body) || 'the plugin failed')
      send(await responseTo(call, stanza))
    }
  } finally {
    child.stdin.end()
    child.stdout.destroy()
    // A plugin that waits for its device would not end otherwise.
    child.kill()
  }
}

const response = (command: string, body = '', ...args: readonly string[]) =>
  new Stanza([command, ...args], utf8(body))

/** The response to a command of the plugin. */
async function responseTo({ dialog, onResult }: PluginCall, stanza: Stanza): Promise<Stanza> {
  const [command = '', first, second] = stanza.args
  const message = decoded(stanza.body)
  try {
    switch (command) {
      case 'msg':
        dialog.show(message)
        return response('ok')
      case 'request-public':
        return response('ok', await dialog.ask(message, 'shown'))
      case 'request-secret':
        return response('ok', await dialog.ask(message, 'hidden'))
      case 'confirm': {
        const isYes = await dialog.choose(message, fromArgument(first) ?? 'yes', fromArgument(second))
        return response('ok', '', isYes ? 'yes' : 'no')
      }
      default:
        return response(onResult(stanza) ? 'ok' : 'unsupported')
    }
  } catch {
    // The plugin decides what follows.
    return response('fail')
  }
}
