import { readFile, rm } from 'node:fs/promises'
import { armored, createFileHeader, encryptStream } from '@svc/encryption'
import { createNodeEngine } from '@svc/encryption/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { svcAtTerminal } from '../support/terminal.ts'
import { installSvc, type Svc } from '../support/svc.ts'

let server: Svcd
let owner: Svc
beforeAll(async () => {
  server = await startSvcd(await emptyDirectory())
  owner = await installSvc(server.url)
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, owner.close()])
})

/** Encrypts a private key with a passphrase, as the page does. */
async function wrapped(identity: string, passphrase: string): Promise<string> {
  const engine = createNodeEngine()
  try {
    const header = await createFileHeader({ passphrase, workFactor: 2 }, engine)
    const chunks = await Array.fromAsync(encryptStream(new Blob([identity]).stream(), { header, engine }))
    return armored(Buffer.concat(chunks))
  } finally {
    await engine.close()
  }
}

test('without the key of a request, svc takes the encrypted one of the server, and asks for its passphrase', async () => {
  const request = (await owner.json(['request', 'new', 'Photos'])) as {
    readonly id: string
    readonly url: string
    readonly requestToken: string
    readonly identityFile: string
  }
  const { id, url, requestToken, identityFile } = request
  const sent = await owner.run(['send', url, owner.program])
  expect(sent.status).toBe(0)
  const identity = await readFile(identityFile, 'utf8')
  await server.client.updateUploadRequest(
    id,
    { wrappedIdentity: await wrapped(identity, 'correct horse') },
    { requestToken },
  )
  await rm(identityFile)

  const get = (environment: Readonly<Record<string, string>>) =>
    owner.run(['request', 'get', id, '-o', 'inbox'], { environment })
  expect(await get({})).toMatchObject({
    status: 6,
    stderr: expect.stringContaining(`${id}.txt has a passphrase: use a terminal`) as string,
  })
  expect(await get({ SVC_IDENTITY_PASSPHRASE: 'wrong' })).toMatchObject({
    status: 6,
    stderr: expect.stringContaining('wrong passphrase') as string,
  })
  const asked = await svcAtTerminal(owner, ['request', 'get', id, '-o', 'inbox'], {
    answers: [
      ['Passphrase of', 'wrong\r'],
      ['wrong passphrase', 'correct horse\r'],
    ],
  })
  expect(asked.status).toBe(0)
  expect(await get({ SVC_IDENTITY_PASSPHRASE: 'correct horse' })).toMatchObject({ status: 0 })
  // The identity is stored as it was received: encrypted.
  expect(await readFile(identityFile, 'utf8')).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----\n/)
})
