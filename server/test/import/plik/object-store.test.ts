import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { describeOn } from '../../support/describe-on.ts'
import { emptyDirectory } from '../../support/servers/svcd.ts'
import { lookUp, storedFiles } from '../../support/servers/server-data.ts'
import { newBucket } from '../../support/stores/s3-buckets.ts'
import { startRadosgw } from '../../../../scripts/test-servers/stores/radosgw.ts'
import { svcd } from '../../commands/command-line.ts'
import { newPlik, type PlikFixture } from './installation.ts'

let directory: string
let plik: PlikFixture
const upload = 'upload0000000001'
const file = 'upload0000000000'
const configure = (backend: string) => writeFile(join(plik.directory, 'store.cfg'), `${backend}\n`)
const importing = (...args: string[]) =>
  svcd(directory, ['import', '--from', 'plik', join(plik.directory, 'store.cfg'), ...args])
beforeEach(async () => {
  directory = await emptyDirectory()
  plik = await newPlik()
  await plik.upload(upload, {}, { 'a.txt': 'content' })
  await plik.close()
})

test.each([
  [
    's3',
    'Bucket = "uploads"\nPrefix = "plik"',
    /bucket uploads of S3, under plik\/: .*--data; or .*--in-place/,
  ],
  ['swift', 'Container = "uploads"', /container uploads of Swift: .*--data/],
  [
    'gcs',
    'Bucket = "uploads"\nFolder = "plik"',
    /bucket uploads of Google Cloud Storage, under plik\/: .*--data/,
  ],
])('files in %s are not found, and the message says what to copy', async (kind, settings, expected) => {
  await configure(`DataBackend = "${kind}"\n[DataBackendConfig]\n${settings}`)
  const { status, stderr } = await importing()
  expect(stderr).toMatch(expected)
  expect(status).toBe(1)
})

test.each([
  ['of S3', file],
  ['of Swift and Google Cloud Storage', `${upload}.${file}`],
])('a copy of the objects %s is imported', async (_of, name) => {
  const copy = await emptyDirectory()
  await rename(join(plik.files, 'up', file), join(copy, name))
  await configure('DataBackend = "s3"')
  expect(await importing('--data', copy)).toMatchObject({ status: 0, stderr: '' })
  expect(storedFiles({ directory })).toEqual([file])
})

test('the directory of Plik stays in place when it is the data directory', async () => {
  await writeFile(join(directory, 'svcd.toml'), `[DataBackendConfig]\nDirectory = "${plik.files}/."\n`)
  await configure('DataBackend = "file"')
  expect(await importing()).toMatchObject({ status: 0, stderr: '' })
  expect((await svcd(directory, ['verify', '--hashes'])).status).toBe(0)
  await rm(join(plik.files, 'up', file))
  expect((await svcd(directory, ['verify'])).status).toBe(1)
})

describeOn('radosgw', 'a bucket of Plik', () => {
  test('is the data store after an import in place', async () => {
    const store = await startRadosgw()
    onTestFinished(() => store.remove())
    const bucket = await newBucket(store)
    await bucket.client.send(
      new PutObjectCommand({ Bucket: bucket.name, Key: `plik/${file}`, Body: 'content' }),
    )
    const { endpoint, accessKeyID, secretAccessKey } = bucket.options()
    await writeFile(
      join(directory, 'svcd.toml'),
      `DataBackend = "s3"
[DataBackendConfig]
Endpoint = "${endpoint}"
AccessKeyID = "${accessKeyID}"
SecretAccessKey = "${secretAccessKey}"
Bucket = "${bucket.name}"
Prefix = "plik/"
PathStyle = true
`,
    )
    await configure('DataBackend = "s3"\n[DataBackendConfig]\nPrefix = "plik"')
    expect(await importing('--in-place')).toMatchObject({ status: 0, stderr: '' })
    expect(lookUp({ directory }, 'select md5 from files')).toEqual(['9a0364b9e99bb480dd25e1f0284c8555'])
    expect((await svcd(directory, ['verify', '--hashes'])).status).toBe(0)
    const stored = { Bucket: bucket.name, Key: `plik/${file}` }
    await bucket.client.send(new DeleteObjectCommand(stored))
    const lost = await importing('--in-place')
    expect(lost.output).toContain('the data store of svcd does not have its bytes')
    expect(lost.status).toBe(1)
    const restored = await importing('--data', plik.files)
    expect(restored.output).toContain('restored in the data store: 1 file (7 B)')
    expect(restored.status).toBe(0)
    expect((await svcd(directory, ['verify', '--hashes'])).status).toBe(0)
  })
})
