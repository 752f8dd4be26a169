import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { inflateSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { inChunks, outcomeOf, sha256 } from '../../test/bytes.ts'
import { createWasmEngine } from '../../test/wasm-engine.ts'
import { decryptStream } from './decrypt-stream.ts'
import { EncryptionError, type EncryptionErrorCode } from '../base/error.ts'
import { createNodeEngine } from '../node/engine.ts'
import { createPlainEngine } from '../engine/plain-engine.ts'

const file = path.join(import.meta.dirname, '../../test/age-test-vectors.json')
const vectors = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>

/** Maps the failures of the published vectors to our codes. */
const codes: Record<string, readonly EncryptionErrorCode[]> = {
  'no match': ['no_matching_identity', 'wrong_passphrase', 'identity_needed', 'passphrase_needed'],
  'HMAC failure': ['bad_header'],
  'header failure': ['bad_header', 'not_encrypted', 'truncated', 'work_factor_too_high'],
  'payload failure': ['damaged_chunk', 'truncated', 'trailing_data'],
  'armor failure': ['bad_armor', 'not_encrypted', 'truncated'],
}

interface Vector {
  readonly expected: string
  readonly payload: string | undefined
  readonly keys: { readonly passphrases: readonly string[]; readonly identities: readonly string[] }
  readonly encrypted: Uint8Array
}

function parsed(base64: string): Vector {
  const bytes = Buffer.from(base64, 'base64')
  const end = bytes.indexOf('\n\n')
  const fields = bytes
    .subarray(0, end)
    .toString()
    .split('\n')
    .map((line) => line.split(/: (.*)/s))
  const all = (name: string) => fields.filter(([key]) => key === name).map(([, value = '']) => value)
  const body = bytes.subarray(end + 2)
  return {
    expected: all('expect')[0] ?? '',
    payload: all('payload')[0],
    keys: { passphrases: all('passphrase'), identities: all('identity') },
    encrypted: all('compressed')[0] === 'zlib' ? inflateSync(body) : body,
  }
}

const engines = {
  JavaScript: createPlainEngine(),
  Node: createNodeEngine({ threads: 1 }),
  WebAssembly: createWasmEngine(),
}

afterAll(() => engines.Node.close())

test('all published vectors are present', () => {
  expect(Object.keys(vectors)).toHaveLength(143)
})

describe.for(Object.entries(engines))('age test vectors, by %s', ([, engine]) => {
  test.for(Object.entries(vectors))('%s', async ([, base64]) => {
    const { expected, payload, keys, encrypted } = parsed(base64)
    const { bytes, error } = await outcomeOf(decryptStream(inChunks(encrypted), { keys, engine }))
    if (expected === 'success') {
      expect(error).toBeUndefined()
    } else {
      expect(error).toBeInstanceOf(EncryptionError)
      expect(codes[expected]).toContain((error as EncryptionError).code)
    }
    // A damaged file yields exactly the plaintext before the damage.
    if (payload !== undefined) expect(sha256(bytes)).toBe(payload)
    else expect(bytes).toHaveLength(0)
  })
})
