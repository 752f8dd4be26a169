import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const source = (name: string) => fileURLToPath(new URL(`../../src/io/${name}.ts`, import.meta.url))

/** As on a processor without SIMD. */
const withoutVectors = '--no-enable-sse4-1'

test.each([{ flags: [] }, { flags: [withoutVectors] }])(
  'a process ($flags) hashes, and exits without stopping its threads',
  async ({ flags }) => {
    const script = `
    const { hasherPool } = await import('${source('hash/hasher-pool')}')
    const { receiveBody } = await import('${source('receive/receive-body')}')
    const { Readable } = await import('node:stream')
    const body = Readable.from([Buffer.alloc(3_000_000)], { objectMode: false })
    const signal = new AbortController().signal
    const intake = receiveBody(body, { maxSize: -1, tooBig: () => new Error(), hashers: hasherPool(), signal })
    for await (const block of intake.blocks) void block
    console.log((await intake.digests()).md5)
  `
    const args = [...flags, '--input-type=module', '-e', script]
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 120_000 })
    expect(stdout).toBe('c9fc2d3dd83ab67a129ac10b09c9ebbb\n')
  },
)
