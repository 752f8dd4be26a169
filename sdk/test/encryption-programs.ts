import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RequestListener } from 'node:http'

/** A program that uses the installed package in Node, with the file `content`. */
export const encryptingProgram = `
  import { openAsBlob } from 'node:fs'
  import { readFile, writeFile } from 'node:fs/promises'
  import * as age from '@svc/sdk/encryption'

  const engine = age.createEngine({ threads: 1 })
  const content = await openAsBlob('content')
  const { identity, recipient } = await age.generateKeyPair()
  const passphrase = age.generatePassphrase()
  for (const [name, key] of [
    ['for-key.age', { recipients: [recipient] }],
    ['for-passphrase.age', age.passphraseKey(passphrase)],
  ] as const) {
    const { size, between } = await age.encryptBlob(content, key, engine)
    await writeFile(name, between(0, size))
  }
  const keys = { identities: [identity] }
  const back = await age.decryptBlob(await openAsBlob('for-key.age'), keys, engine)
  if (!Buffer.from(await back.arrayBuffer()).equals(await readFile('content'))) throw new Error('other bytes')
  await engine.close()
  await writeFile('identity', identity)
  console.log(JSON.stringify({ identity, recipient, passphrase }))
`

const page = `<!doctype html><title>Package</title>
<script type="importmap">{ "imports": { "@svc/sdk/encryption": "/dist/encryption/browser/index.js" } }</script>
<script type="module">globalThis.encryption = await import('@svc/sdk/encryption')</script>`

/**
 * Serves a page that loads the encryption of an installed package as it is, without a bundler.
 * @param installed folder of the package
 */
export const pageOfPackage =
  (installed: string): RequestListener =>
  (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (!pathname.endsWith('.js')) {
      response.writeHead(200, { 'content-type': 'text/html' }).end(page)
      return
    }
    readFile(join(installed, pathname)).then(
      (code) => response.writeHead(200, { 'content-type': 'text/javascript' }).end(code),
      () => response.writeHead(404).end(),
    )
  }

/** Encrypts base64 for a recipient in the page, and decrypts another file; both results are in base64. */
export const encryptInPage = (parameters: {
  readonly content: string
  readonly recipient: string
  readonly file: string
  readonly identity: string
}): string => `(async ({ content, recipient, file, identity }) => {
  const { createEngine, decryptBlob, encryptBlob } = globalThis.encryption
  const blobOf = async (base64) => (await fetch('data:;base64,' + base64)).blob()
  const base64Of = async (blob) => new Uint8Array(await blob.arrayBuffer()).toBase64()
  const engine = createEngine({ threads: 2 })
  const source = await encryptBlob(await blobOf(content), { recipients: [recipient] }, engine)
  const parts = []
  for await (const bytes of source.between(0, source.size)) parts.push(new Blob([bytes]))
  const decrypted = await decryptBlob(await blobOf(file), { identities: [identity] }, engine)
  await engine.close()
  return { encrypted: await base64Of(new Blob(parts)), decrypted: await base64Of(decrypted) }
})(${JSON.stringify(parameters)})`
