import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../../scripts/tests/needs.ts'
import { expectWhole, newTarget, readListedFile, type TusFile, type UploadTarget } from '../resumable/tus.ts'
import { randomBytes } from '../support/clients/stored-upload.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'

const run = promisify(execFile)

const bytes = Buffer.from(randomBytes(1_100_000))

describeWith(['python3', 'python3-tuspy'], 'tuspy', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.close())

  /** Prints the offsets at which the client begins and ends. */
  async function upload(target: UploadTarget, folder: string, ...stopAt: readonly string[]) {
    const program = join(import.meta.dirname, 'tuspy.py')
    const endpoint = `${server.url}/tus/${target.id}`
    const token = target.headers['x-uploadtoken'] ?? ''
    const names = [join(folder, 'file'), 'zoë.bin', join(folder, 'storage.json')]
    // The system's Python has the package; another one may come first.
    const { stdout } = await run('/usr/bin/python3', [program, endpoint, token, ...names, ...stopAt])
    return stdout.trim().split('\n').map(Number)
  }

  const fileOf = async (target: UploadTarget): Promise<TusFile> => {
    const { files } = await server.client.upload(target.id)
    expect(files).toHaveLength(1)
    const id = files[0]?.id ?? ''
    return { target, id, path: `/tus/${target.id}/${id}` }
  }

  test('sends a file in parts with checksums, stops, and resumes in another process', async () => {
    const target = await newTarget(server)
    const folder = await temporaryDirectory()
    await writeFile(join(folder, 'file'), bytes)
    expect(await upload(target, folder, '800000')).toEqual([0, 800_000])
    const file = await fileOf(target)
    expect(await readListedFile(server, file)).toMatchObject({ status: 'uploading', offset: 800_000 })
    expect(await upload(target, folder)).toEqual([800_000, bytes.length])
    await expectWhole(server, file, bytes, { name: 'zoë.bin' })
  })
})
