import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { svcd } from '../../commands/command-line.ts'
import { emptyDirectory } from '../../support/servers/svcd.ts'
import { newGokapi } from './installation.ts'

test('ids are encoded in the table of addresses', async () => {
  const gokapi = await newGokapi()
  gokapi.insert('Users', { Id: 1, Name: 'admin', Userlevel: 0, Permissions: 255 })
  const id = 'good\tz\n~.*\thttps://evil.example/#\t'
  await gokapi.file(id, 'content', { Name: 'n', HotlinkId: 'h"\n~.* "/evil' })
  gokapi.close()
  const directory = await emptyDirectory()
  const { stderr } = await svcd(directory, [
    'import',
    '--from',
    'gokapi',
    gokapi.root,
    '--links',
    'links.tsv',
  ])
  expect(stderr).toBe('')
  const lines = readFileSync(join(directory, 'links.tsv'), 'utf8').trimEnd().split('\n')
  const encoded = 'good%09z%0A~.*%09https%3A%2F%2Fevil.example%2F%23%09'
  expect(lines.map((line) => line.split('\t').at(0))).toEqual([
    `/d?id=${encoded}`,
    `/d/${encoded}/n`,
    `/downloadFile?id=${encoded}`,
    `/dh/${encoded}/n`,
    '/hotlink/h%22%0A~.*%20%22%2Fevil',
  ])
  for (const line of lines) expect(line.split('\t')).toHaveLength(2)
})
