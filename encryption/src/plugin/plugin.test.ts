import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { bech32 } from '@scure/base'
import { describeWith } from '../../../scripts/tests/needs.ts'
import { collected, inChunks, outcomeOf, someBytes } from '../../test/bytes.ts'
import { createPlainEngine } from '../engine/plain-engine.ts'
import { createFileHeader } from '../header/file-header.ts'
import { decryptStream } from '../stream/decrypt-stream.ts'
import { encryptStream } from '../stream/encrypt-stream.ts'
import {
  pluginIdentity,
  pluginOfIdentity,
  pluginOfRecipient,
  pluginRecipient,
  type PluginDialog,
} from './index.ts'

const run = promisify(execFile)
const engine = createPlainEngine()
const content = someBytes(70_000)
const recipientOf = (byte: number) => bech32.encodeFromBytes('age1swap', Uint8Array.of(byte))
const identityOf = (byte: number) =>
  bech32.encodeFromBytes('age-plugin-swap-', Uint8Array.of(byte)).toUpperCase()

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-plugin-'))
  const program = path.join(folder, 'age-plugin-swap')
  await copyFile(path.join(import.meta.dirname, '../../test/age-plugin-swap.py'), program)
  await chmod(program, 0o755)
  vi.stubEnv('PATH', `${folder}:${process.env['PATH'] ?? ''}`)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

const silent: PluginDialog = {
  show: () => undefined,
  ask: () => Promise.reject(new Error('no terminal')),
  choose: () => Promise.reject(new Error('no terminal')),
}

async function encrypted(byte: number): Promise<Uint8Array> {
  const header = await createFileHeader({ recipients: [pluginRecipient(recipientOf(byte), silent)] }, engine)
  return collected(encryptStream(inChunks(content), { header, engine }))
}
const outcome = (file: Uint8Array, byte: number, dialog = silent) =>
  outcomeOf(
    decryptStream(inChunks(file), {
      keys: { identities: [pluginIdentity(identityOf(byte), dialog)] },
      engine,
    }),
  )

describeWith(['python3'], 'a plugin of age', () => {
  test('encrypts and decrypts a file', async () => {
    const file = await encrypted(7)
    expect(await outcome(file, 7)).toEqual({ bytes: content, error: undefined })
    expect((await outcome(file, 8)).error).toMatchObject({ code: 'no_matching_identity' })
  })

  test('asks through the dialog, and a wrong answer is reported with its words', async () => {
    vi.stubEnv('SWAP_ASKS', '1')
    const file = await encrypted(7)
    const seen: string[] = []
    const answering = (pin: string, isYes: boolean): PluginDialog => ({
      show: (message) => seen.push(message),
      ask: (message, echo) => {
        seen.push(`${message} ${echo}`)
        return Promise.resolve(pin)
      },
      choose: (message, yes, no) => {
        seen.push(`${message} ${yes}/${no ?? ''}`)
        return Promise.resolve(isYes)
      },
    })
    expect((await outcome(file, 7, answering('1234', true))).bytes).toEqual(content)
    expect(seen).toEqual(['touch the key', 'PIN hidden', 'Use the key? go on/stop'])
    for (const [dialog, words] of [
      [answering('0000', true), 'wrong PIN'],
      [answering('1234', false), 'refused'],
      [silent, 'wrong PIN'],
    ] as const)
      expect((await outcome(file, 7, dialog)).error).toMatchObject({
        code: 'bad_identity',
        message: `age-plugin-swap: ${words}`,
      })
    vi.stubEnv('SWAP_ASKS', '')
  })

  test('that is missing, or does not follow the protocol, is reported', async () => {
    const absent = pluginRecipient(bech32.encodeFromBytes('age1absent', Uint8Array.of(1)), silent)
    await expect(createFileHeader({ recipients: [absent] }, engine)).rejects.toThrow('not installed')
    await writeFile(path.join(folder, 'age-plugin-broken'), '#!/bin/sh\necho nonsense\n', { mode: 0o755 })
    const broken = pluginRecipient(bech32.encodeFromBytes('age1broken', Uint8Array.of(1)), silent)
    await expect(createFileHeader({ recipients: [broken] }, engine)).rejects.toThrow(
      'does not follow the protocol',
    )
  })

  describeWith(['age'], 'together with the age command', () => {
    test('opens what age encrypted, and age opens what we encrypted', async () => {
      await writeFile(path.join(folder, 'plain'), content)
      await run('age', ['-r', recipientOf(9), '-o', path.join(folder, 'theirs'), path.join(folder, 'plain')])
      expect((await outcome(await readFile(path.join(folder, 'theirs')), 9)).bytes).toEqual(content)
      await writeFile(path.join(folder, 'key'), identityOf(9))
      await writeFile(path.join(folder, 'ours'), await encrypted(9))
      await run('age', [
        '-d',
        '-i',
        path.join(folder, 'key'),
        '-o',
        path.join(folder, 'back'),
        path.join(folder, 'ours'),
      ])
      expect(Buffer.compare(await readFile(path.join(folder, 'back')), content)).toBe(0)
    })
  })
})

describe('the name of a plugin', () => {
  test.each([
    ['age1yubikey1q2w3e4r', 'yubikey'],
    ['age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p', undefined],
    ['age1pq1qqqq', undefined],
    ['age1../evil1qqqq', undefined],
  ])('of the recipient %s is %s', (recipient, name) => {
    expect(pluginOfRecipient(recipient)).toBe(name)
  })

  test.each([
    ['AGE-PLUGIN-YUBIKEY-1Q2W3E4R', 'yubikey'],
    ['AGE-SECRET-KEY-1QQQQ', undefined],
    ['AGE-PLUGIN-../EVIL-1QQQQ', undefined],
  ])('of the identity %s is %s', (identity, name) => {
    expect(pluginOfIdentity(identity)).toBe(name)
  })
})
