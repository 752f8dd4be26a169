import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { svcd } from '../commands/command-line.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { storedFiles } from '../support/servers/server-data.ts'
import { newGokapi } from './gokapi/installation.ts'
import { newPingvin } from './pingvin/installation.ts'
import { newPlik } from './plik/installation.ts'

/** Runs an import that must not read what is outside of the installation, and returns its findings. */
async function findings(from: string, root: string): Promise<readonly unknown[]> {
  const directory = await emptyDirectory()
  const { output } = await svcd(directory, ['import', '--from', from, root, '--json'])
  expect(storedFiles({ directory })).toEqual([])
  expect(output).not.toContain('1234')
  return (JSON.parse(output) as { readonly findings: readonly unknown[] }).findings
}

/** Creates a directory with a file of 1,234 bytes. */
async function secretFile(name: string): Promise<string> {
  const outside = await temporaryDirectory()
  await writeFile(join(outside, name), 'x'.repeat(1_234))
  return outside
}

test('a share of Pingvin Share whose directory is a link is not followed', async () => {
  const pingvin = await newPingvin()
  const outside = await secretFile('passwd')
  await pingvin.share('evil', {}, { creatorId: null })
  await symlink(outside, join(pingvin.root, 'data', 'uploads', 'shares', 'evil'))
  for (const size of ['1234', '1'])
    pingvin.insert('File', {
      id: size === '1' ? 'passwd' : 'p',
      createdAt: 1,
      name: 'a',
      size,
      shareId: 'evil',
    })
  pingvin.close()
  expect(await findings('pingvin', pingvin.root)).toEqual([
    { kind: 'missing', of: 'evil', file: 'p', detail: 'a: there are no bytes' },
    { kind: 'missing', of: 'evil', file: 'passwd', detail: 'a: there are no bytes' },
  ])
})

test('a share of Pingvin Share whose directory is a link to another share is not followed', async () => {
  const pingvin = await newPingvin()
  const [path = ''] = await pingvin.share('private', { 'a.txt': 'x'.repeat(1_234) }, { uploadLocked: 0 })
  await pingvin.share('evil', {}, { creatorId: null })
  await symlink(dirname(path), join(dirname(path), '..', 'evil'))
  pingvin.run(`update "File" set shareId = 'evil'`)
  pingvin.close()
  expect(await findings('pingvin', pingvin.root)).toContainEqual({
    kind: 'missing',
    of: 'evil',
    file: basename(path),
    detail: 'a.txt: there are no bytes',
  })
})

test.each(['..', '.', '../evil', '/etc', 'a/b', ''])('a share with the id %j is refused', async (id) => {
  const pingvin = await newPingvin()
  await pingvin.share(id, {}, { creatorId: null })
  pingvin.insert('File', { id: 'pingvin-share.db', createdAt: 1, name: 'a', size: '1', shareId: id })
  pingvin.close()
  expect(await findings('pingvin', pingvin.root)).toEqual([
    { kind: 'refused', of: id, file: null, detail: 'its id is not one of Pingvin Share' },
  ])
})

test('a file of Gokapi that is a link is not followed', async () => {
  const gokapi = await newGokapi()
  gokapi.insert('Users', { Id: 1, Name: 'admin', Userlevel: 0, Permissions: 255 })
  const path = await gokapi.file('linked', 'x'.repeat(1_234))
  gokapi.close()
  const outside = join(await secretFile('other'), 'other')
  await rm(path)
  await symlink(outside, path)
  expect(await findings('gokapi', gokapi.root)).toContainEqual({
    kind: 'missing',
    of: 'linked',
    file: 'linked',
    detail: 'linked.txt: there are no bytes',
  })
})

test.each(['directory', 'directory to another in the root', 'file'])(
  'a %s of Plik that is a link is not followed',
  async (kind) => {
    const plik = await newPlik()
    const [id = ''] = await plik.upload('upload0000000001', {}, { 'a.txt': 'x'.repeat(1_234) })
    await plik.close()
    const outside = await secretFile(id)
    const directory = join(plik.files, id.slice(0, 2))
    await rm(directory, { recursive: true })
    if (kind === 'directory') await symlink(outside, directory)
    else if (kind === 'directory to another in the root') {
      await mkdir(join(plik.files, 'other'))
      await writeFile(join(plik.files, 'other', id), 'x'.repeat(1_234))
      await symlink('other', directory)
    } else {
      await mkdir(directory)
      await symlink(join(outside, id), join(directory, id))
    }
    expect(await findings('plik', plik.configuration)).toEqual([
      { kind: 'missing', of: 'upload0000000001', file: id, detail: 'a.txt: there are no bytes' },
    ])
  },
)

test('the directory of all files may be a link', async () => {
  const pingvin = await newPingvin()
  await pingvin.share('plain', { 'a.txt': 'a' }, { creatorId: null })
  pingvin.close()
  const shares = join(pingvin.root, 'data', 'uploads', 'shares')
  const elsewhere = join(await temporaryDirectory(), 'shares')
  await rename(shares, elsewhere)
  await symlink(elsewhere, shares)
  const { output } = await svcd(await emptyDirectory(), ['import', '--from', 'pingvin', pingvin.root])
  expect(output).toContain('imported 0 users, 0 tokens, 1 upload, 1 file (1 B)')
})
